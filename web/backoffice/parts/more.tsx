// The end of a list in pages: a button for the next page, if there is one.
import { Button } from '@mantine/core';
import { t } from '../base/texts.ts';

type Props = {
  readonly asked: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): unknown;
  };
  readonly text?: string;
  /** Said beside the button. */
  readonly note?: string;
};

export function MoreRows({ asked, text = t('Show more'), note }: Props) {
  if (!asked.hasNextPage) return null;
  return (
    <div className="list-end">
      <Button variant="default" size="xs" loading={asked.isFetchingNextPage} onClick={() => void asked.fetchNextPage()}>
        {text}
      </Button>
      {note === undefined ? null : <span>{note}</span>}
    </div>
  );
}
