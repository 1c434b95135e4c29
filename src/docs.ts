export async function docs(version: string, args: readonly string[]): Promise<void> {
  console.log(version, args);
}
