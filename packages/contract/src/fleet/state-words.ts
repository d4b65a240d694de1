/**
 * Words and causes of states that are compared somewhere: always by these names, since a console shows
 * them in its own language.
 */
export const STATE_WORDS = {
  running: 'Running',
  stopped: 'Stopped',
  stopping: 'Stopping',
  starting: 'Starting',
  disabled: 'Disabled',
  notConfigured: 'Not Configured',
  reading: 'Reading',
  online: 'Online',
  offline: 'Offline',
  unknown: 'Unknown',
} as const

export const CAUSES = {
  connecting: 'connecting',
  noMedia: 'no media',
  notRead: 'status not read',
  notInstalled: 'not installed',
  unreachable: 'host unreachable',
  notHeard: 'host not heard of yet',
  serverSilent: 'server silent',
  noSuchStream: 'no such stream',
  wrongPassphrase: 'wrong passphrase',
  wrongSecret: 'wrong secret',
  wrongSecretBefore: 'wrong secret when last heard',
  oneEndClear: 'one end not encrypted',
  rejected: 'call rejected',
  settingsDiffer: 'settings differ',
  refused: 'connection refused',
  unknownName: 'unknown host name',
  receiverDown: 'receiver down',
  restarting: 'restarting',
  paused: 'process paused',
  channelOff: 'channel is off',
  inputOff: 'input is off',
  slow: 'slower than real time',
  losing: 'losing packets',
  pathSilent: 'one path silent',
  mayRun: 'may still run',
} as const
