/** Texts of the dialogs that clone. */
export const CLONE = { input: 'Clone input', output: 'Clone output' } as const

/** What a copy has of the original. */
export const CLONE_LEAD = {
  input:
    'The copy has the same settings and passphrase, its own multicast group and no outputs. It is not started.',
  localInput: 'The copy reads the same stream. It has no outputs.',
  output: 'The copy has the same settings, passphrase and input. It is not started.',
  destination: 'The copy has the same address, group and passphrase. No output uses it yet.',
} as const
export const CLONE_PORT = {
  listening: 'The port it listens on. This port is free.',
  typed: 'The port it listens on.',
  calling: 'The port of the far end, which it calls.',
} as const
