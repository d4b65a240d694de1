/** What a copy is called at first. */

/** As the contract's Title. */
const TITLE_CHARACTERS = 120

export function copyTitle(title: string): string {
  return `${title} copy`.slice(0, TITLE_CHARACTERS)
}
