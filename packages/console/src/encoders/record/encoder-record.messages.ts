/** What the manager and its dialogs say; texts of the catalogue word for word. */

/** ERR-10. */
export const ADDED = 'Success add new encoder'
export const UPDATED = 'Success updated'
export const DELETED = 'Success deleted'
/** ERR-07, ERR-46. */
export const TRY_AGAIN = 'Something went wrong, Please try again'
/** ERR-19. */
export const CHECK_REQUIRED = 'Please check required fields'
/** ERR-21. */
export const REMOVE_FEEDER_FIRST = 'Please remove first feeder.'

const STOPS_IT = 'It is stopped first: everything that reads its outputs loses the picture at once.'

/** Q65. `isSeen` false: its host is silent, so it may run or not. */
export function disableSentences(
  title: string,
  feeders: number,
  isSeen: boolean,
): readonly string[] {
  const withIt =
    feeders === 0 ? '' : `, and ${feeders === 1 ? 'its feeder' : 'its feeders'} with it`
  return [
    `Disable ${title}.`,
    isSeen
      ? `It is running and will be stopped${withIt}: everything that reads its outputs loses the picture at once.`
      : 'Its host does not answer, and it may run there. It is stopped as soon as the host answers.',
  ]
}

/** Q69. */
export function removeSentences(title: string, isRunning: boolean): readonly string[] {
  return [
    `Remove ${title}, with its configuration. This cannot be undone.`,
    ...(isRunning ? [`It is running. ${STOPS_IT}`] : []),
  ]
}

/** Q67. */
export function deleteConfigSentences(title: string, isRunning: boolean): readonly string[] {
  return [
    `Delete the configuration of ${title}. The encoder stays and can be configured again.`,
    ...(isRunning ? [`It is running. ${STOPS_IT}`] : []),
  ]
}

/** What stands in the way of removing an encoder or its configuration. */
export function feedersLeft(title: string, feeders: number): string {
  return `${title} has ${feeders === 1 ? '1 feeder' : `${feeders} feeders`}. Open Edit Config to delete ${feeders === 1 ? 'it' : 'them'}.`
}

export const LIST_FAILED = 'The list of encoders could not be read.'
export const EDITORS = {
  reading: 'Reading the editors …',
  failed: 'The editors could not be read. Close this and try again.',
  none: 'There are no editors here. Add an editor on the Access page first.',
} as const

/** Those who are assigned, but whom this operator may not see. */
export function assignedUnseen(count: number): string {
  return count === 1
    ? '1 more editor, not shown in this list, stays assigned.'
    : `${count} more editors, not shown in this list, stay assigned.`
}

/** ENC-23, at the fields. */
export const MISSING = {
  title: 'Type a title.',
  apiKey: 'Type the key of the agent on this host.',
  ip: 'Type an address or a host name.',
  port: 'Type its port.',
  groupId: 'Choose a group.',
} as const
/** Short, as its field is. */
export const PORT_RANGE = 'Must be 1 to 65535.'

/** decisions.md 7: same host, same key. One line each, as wide as the field. */
export const KEY_HINT = {
  first: 'Must match the key of its agent.',
  ofHost: 'Leave empty: this host has a key.',
  kept: 'Leave empty to keep the key.',
  shared: 'Leave empty to keep it. All encoders on this host use it.',
} as const

export const ENROLS = 'Enrol the host: no API key to enter'
export const ENROLS_MEANS = 'Its command is shown next. A certificate replaces the key.'
/** An encoder of that host and port is there already. */
export const ENROLS_NOT =
  'Nothing to enrol: another encoder has this host and port, and this one uses its connection.'

export const CLONE_LEAD =
  'The copy has the configuration, the contact data and the editors, but no feeders. Nothing is started.'
export const CLONE_BARE =
  'There is no configuration yet, so the copy has none either. It has the contact data and the editors.'

export function clonedLead(title: string): string {
  return `${title} was added. Check this before you start it:`
}
