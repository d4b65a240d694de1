/** Encryption as every form has it: none, or with which size of key. The wire has two fields for it. */

/** 'no', or the size of the key in bits. */
export type KeyChoice = 'no' | '128' | '256'

export const ENCRYPTION = 'Encryption'
export const KEY_CHOICES: readonly { value: KeyChoice; label: string }[] = [
  { value: 'no', label: 'None' },
  { value: '128', label: 'AES-128' },
  { value: '256', label: 'AES-256' },
]

/** As the wire has it: 'yes' or 'no', and the size beside it. */
export function keyChoiceOf(selection: string, type: string): KeyChoice {
  if (selection !== 'yes') return 'no'
  return type === '256' ? '256' : '128'
}

export function keyChoiceText(choice: KeyChoice): string {
  return KEY_CHOICES.find(({ value }) => value === choice)?.label ?? ''
}
