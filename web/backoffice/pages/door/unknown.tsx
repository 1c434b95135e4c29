import { Button } from '@mantine/core';
import { go } from '../../base/router.tsx';
import { Empty, PageHead } from '../../parts/page.tsx';

/** An address of no page. */
export function Unknown() {
  return (
    <>
      <PageHead title="Nothing is at this address" />
      <Empty
        icon="search"
        title="This page does not exist"
        text="It may have been moved, or the address was not copied whole."
      >
        <Button onClick={() => go('/')}>To the overview</Button>
      </Empty>
    </>
  );
}
