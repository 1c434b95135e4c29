import { Button } from '@mantine/core';
import { go } from '../../base/router.tsx';
import { Empty, PageHead } from '../../parts/page.tsx';

/** An address of no page. */
export function Unknown() {
  return (
    <>
      <PageHead title="Page not found" />
      <Empty
        icon="search"
        title="This page does not exist"
        text="It may have been moved, or the address was not copied whole."
      >
        <Button onClick={() => go('/')}>Go to the overview</Button>
      </Empty>
    </>
  );
}
