// Headers of files that a browser downloads.

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
} as const;

export function fileHeaders(name: string, format: keyof typeof TYPES): Readonly<Record<string, string>> {
  return { 'content-type': TYPES[format], 'content-disposition': `attachment; filename="${name}.${format}"` };
}
