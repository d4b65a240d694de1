/** How backups are tried by the walk through the role table. */
import { makeBackup, readBackups } from '@trunkline/contract/backups/backup.calls'
import { recipe, type Recipe } from './rules.ts'

export const BACKUP_RECIPES: readonly Recipe[] = [
  recipe(readBackups, { places: ['none'], input: async () => Promise.resolve({}) }),
  recipe(makeBackup, {
    places: ['none'],
    // While that of the role before is made.
    letThrough: [409],
    input: async () => Promise.resolve({}),
  }),
]
