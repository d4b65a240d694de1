/** What an input with outputs answers to its removal: ERR-45, word for word. */
export function outputsFirst(outputs: number): string {
  return `This input cannot be deleted because it has ${outputs} number of Outputs.`
}
