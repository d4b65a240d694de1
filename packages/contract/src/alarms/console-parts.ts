/** What a console watches of itself, by the id of an object of the kind `console`, and what each is called. */
export const CONSOLE_PARTS = {
  backups: 'Backups',
  schedules: 'Schedules',
  'sign-in': 'Sign-in',
  disk: 'Disk of the console',
} as const
export type ConsolePart = keyof typeof CONSOLE_PARTS

export function isConsolePart(id: string): id is ConsolePart {
  return Object.hasOwn(CONSOLE_PARTS, id)
}
