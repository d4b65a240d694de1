/** What 'Carry this encoder to…' says. */
export const CARRY = 'Carry this encoder to…'
export const FAILED = 'Nothing was created.'
export const REQUIRED = 'This field is required'
export const SELECT_SERVER = 'Select server'
export const SELECT_DESTINATION = 'Select destination'
export const LEAD =
  'Creates a feeder on the encoder’s host, the input that receives it on the server, and one output of that input: all three, or none of them.'
export const NOT_READ = 'The list could not be read. Close this dialog and try again.'
export const PLAN_INCOMPLETE = 'Fill in the form to see what will be created.'
export const FEEDER_GONE = 'This feeder has been deleted. Choose another.'
export const SERVER_OFFLINE = 'Offline: it receives no stream now.'
export const ADDRESS_HINT = 'Must be reachable from the encoder’s host.'
export const INPUT_PORT_HINT = 'The encoder sends to this port on its own host.'
export const NEXT_FREE = 'Next free on this server'
export const NO_PORT = 'No free port could be read. Type one.'
export const PORT_CHECKED = 'Checked when the output is created.'
export const KEY_GENERATED = 'A passphrase is generated and stored at both ends.'
export const KEY_OF_DESTINATION = 'Leave empty to use the passphrase of the destination.'
export const KEY_TYPED = 'The receiver must use the same passphrase.'
export const NOTHING_STARTS =
  'Nothing is started. Start the input, the output and the feeder afterwards.'

export function carried(encoder: string, server: string): string {
  return `Carried ${encoder} to ${server}`
}

export function sendsTo(target: string): string {
  return `The feeder sends to ${target}.`
}

export function otherFeeder(title: string, target: string): string {
  return `The encoder already has feeder '${title}' to ${target}. It is not changed.`
}

export function isReplaced(title: string, target: string): string {
  return `Feeder '${title}' sends to ${target} until it is restarted, and to the new target after that. The input that receives it now is not changed.`
}

export function isReceived(input: string): string {
  return `Input '${input}' already receives this feeder. Add an output to it on the Contributions page, or choose another feeder.`
}

export function notFedYet(port: number): string {
  return `The running encoder does not send to port ${port} yet. Restart the encoder once: its outputs stop for a few seconds.`
}

/** On the button that creates. */
export const SAVE_LABELS = {
  new: 'Create all three',
  replace: 'Replace and create',
  keep: 'Create input and output',
} as const

/** After it was done. */
export const MADE = {
  new: 'Feeder, input and output are created. Nothing is started yet.',
  replace: 'The feeder is replaced, input and output are created. Nothing is started yet.',
  keep: 'Input and output are created for the feeder. Nothing is started yet.',
} as const
