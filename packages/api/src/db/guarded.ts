/** Writes that may break a rule of the database: the operator sees which rule, and what to do. */
import type { AppError } from '../errors.ts'
import { foreignKeyViolation, uniqueViolation } from './faults.ts'

/** What is thrown for a broken rule; for one that is left out, the fault of the database. */
export interface Refusals {
  /** Another row has this value already. */
  unique?: () => AppError
  /** A row that is named does not exist, or one that is removed is still in use. */
  foreignKey?: () => AppError
}

export async function guarded<T>(
  { unique, foreignKey }: Refusals,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (unique !== undefined && uniqueViolation(error)) throw unique()
    if (foreignKey !== undefined && foreignKeyViolation(error)) throw foreignKey()
    throw error
  }
}
