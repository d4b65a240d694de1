/** What the Groups page says. The texts of the error catalogue are letter for letter. */

export const ADDED = 'Group added successfully'
export const UPDATED = 'Group updated successfully'
export const DELETED = 'Group deleted successfully'
export const ADD_FAILED = 'Failed to create group'
export const UPDATE_FAILED = 'Failed to update group'
export const DELETE_FAILED = 'Failed to delete group'
/** GRP-12. */
export const DELETE_QUESTION = 'Are you sure you want to delete this Group?'

export const LIST_FAILED = 'The list of groups could not be read.'

export const MANAGERS_READING = 'Reading the managers …'
export const MANAGERS_FAILED = 'The managers could not be read. Close this and open it again.'
export const MANAGERS_NONE =
  'There is no manager yet. Add a user with the role manager under Access first.'

/** The object of the question, and what goes with it. */
export function deleteSentences(title: string): readonly string[] {
  return [
    DELETE_QUESTION,
    `Deletes '${title}' and its templates. A group in use cannot be deleted.`,
  ]
}

/** GRP-08: why Save does nothing yet. */
export function missingText(labels: readonly string[]): string {
  const last = labels.at(-1) ?? ''
  const list = labels.length > 1 ? `${labels.slice(0, -1).join(', ')} and ${last}` : last
  return labels.length > 1 ? `${list} are still empty.` : `${list} is still empty.`
}
