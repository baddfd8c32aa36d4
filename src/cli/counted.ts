/** `1 event`, `2 events`: for what a command says. `many` where it is not `one` with an s. */
export function counted(count: bigint | number, one: string, many = `${one}s`): string {
  return `${count} ${BigInt(count) === 1n ? one : many}`;
}
