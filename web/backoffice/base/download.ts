// Downloads a file from the server to the browser's folder for downloads.
import { refusalOf, send } from './api.ts';
import { saveFile } from './save.ts';
import { t } from './texts.ts';
import { tellError } from './toast.tsx';

type Query = Readonly<Record<string, string | undefined>>;

/** A failed download shows its reason in a corner. */
export async function download(path: string, name: string, query: Query = {}): Promise<void> {
  try {
    const response = await send(path, { query });
    if (!response.ok) throw await refusalOf(response);
    saveFile(await response.blob(), name);
  } catch (error) {
    tellError(t('Not downloaded'), error);
  }
}
