import { Button } from '@mantine/core';
import { go } from '../../base/router.tsx';
import { t } from '../../base/texts.ts';
import { Empty, PageHead } from '../../parts/page.tsx';

/** Shown for an address without a page. */
export function Unknown() {
  return (
    <>
      <PageHead title={t('Page not found')} />
      <Empty
        icon="search"
        title={t('This page does not exist')}
        text={t('It may have been moved, or the address was not copied whole.')}
      >
        <Button onClick={() => go('/')}>{t('Go to the overview')}</Button>
      </Empty>
    </>
  );
}
