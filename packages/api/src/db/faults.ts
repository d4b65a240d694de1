/** Which rule of the database a failed statement broke, told alike for both databases. */

const UNIQUE = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505'])
/** SQLite reports ON DELETE RESTRICT as a trigger (stack.md section 4). */
const FOREIGN_KEY = new Set(['SQLITE_CONSTRAINT_FOREIGNKEY', 'SQLITE_CONSTRAINT_TRIGGER', '23503'])

/** Another row has this value already. */
export function uniqueViolation(error: unknown): boolean {
  return UNIQUE.has(codeOf(error))
}

/** A row that is named does not exist, or one that is removed is still in use. */
export function foreignKeyViolation(error: unknown): boolean {
  return FOREIGN_KEY.has(codeOf(error))
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}
