/** What is shown about the certificates of a host. */
import type { HostEnrolment } from '@trunkline/contract/enrolment/enrolment.schema'
import { ZONE_WORD } from '../../lib/locale/time-zone.ts'
import { clockText } from '../clock-text.rules.ts'

/** The action, and the title of its dialog. */
export const SECURE_CONNECTION = 'Secure connection'

/** Above the form of a new server, or of an encoder on a new host; the command follows. */
export const ADD_LEAD =
  'Install the agent on the host: its file names the port and the key to enter here. Once it is saved, this dialog makes the code for the command that encrypts the connection, to be run on the host:'

/** The same of a host that is added without its key. */
export const ADD_LEAD_KEYLESS =
  'Install the agent on the host: its file names the port to enter here. Once it is saved, this dialog makes the code for the command that encrypts the connection, to be run on the host:'

/** To a role that may add a host but not enrol it. */
export function askAdmin(title: string): string {
  return `Only an admin can enrol the host of '${title}', and until then the console cannot reach it: ask an admin to open “Secure connection” in its row of the Encoders page.`
}

export const READ_FAILED = 'It could not be read how this host is secured.'
export const CODE_FAILED = 'The code could not be made'
export const REVOKE_FAILED = 'The certificate could not be revoked'

export const NOT_ENCRYPTED = 'Connection is not encrypted'
const NOT_ENCRYPTED_WHY =
  'Connection is not encrypted. The console reaches this host by the API key of its record, and whoever listens on the network can read the key and what is sent. Enrol the host: it gets a certificate of its own, and both sides prove who they are.'

export const DIALS_OUT = 'The host connects to the console (behind NAT)'
export const DIALS_OUT_MEANS =
  'The console does not dial this host: the address of its record is a name only. The host must reach the console’s port for agents.'
export const TAKES_NO_HOSTS =
  'Hosts behind NAT can connect to the console once it has a port for agents: set TRUNKLINE_AGENT_LISTEN.'

/** How the host stands, in a sentence or two. */
export function stateText(enrolment: HostEnrolment): string {
  const { security, since, certificateEndsAt } = enrolment
  const isHost = enrolment.openedBy === 'host'
  switch (security) {
    case 'key':
      return NOT_ENCRYPTED_WHY
    case 'waiting':
      return `The host was given a certificate at ${momentText(since)} and has not used it yet. ${isHost ? 'It is to connect by itself, and is not dialled.' : 'Until then it is reached by its API key.'} If it does not within a minute, check that its agent runs.`
    case 'enrolled':
      return `Enrolled: the connection is encrypted, and each side has proven who it is, since ${momentText(since)}.${isHost ? ' The host connects to the console by itself.' : ''} The certificate is good until ${momentText(certificateEndsAt)} and is renewed by itself before.`
    case 'revoked':
      return `Revoked at ${momentText(since)}: the host is cut off from this console. Its streams go on. Enrol it again to reach it.`
  }
}

export function commandLead(remaining: string): string {
  return `Run this on the host within ${remaining}: as root, or without the package as the user that its agent runs as. The code is good once.`
}

export const NO_CLIPBOARD = 'Groups of letters may be typed small, and without dashes.'

export const CODE_ENDED = 'The code was not used in time and is no longer good. Make a new code.'

/** A code whose dialog was closed: it is shown once. */
export function openCode(remaining: string): string {
  return `A code for this host is good for another ${remaining}. It cannot be shown again: make a new code, which ends it.`
}

export interface EnrolCommand {
  consoleAddress: string
  code: string
  dialsOut: boolean
}

export function commandFor({ consoleAddress, code, dialsOut }: EnrolCommand): string {
  const option = dialsOut ? ' --dial-out' : ''
  return `trunkline-agent enrol --console ${consoleAddress} --code ${code}${option}`
}

export function revokeSentences(title: string): readonly string[] {
  return [
    `Revoke the certificate of the host of '${title}'?`,
    'It is cut off from this console at once: its state is not seen, and nothing can be started or stopped there.',
    'Its streams go on. To reach it again, enrol it again.',
  ]
}

export const REVOKED = 'Certificate revoked'

/** '2026-05-03 14:01 UTC'. */
function momentText(iso: string | null): string {
  return iso === null ? 'an unknown time' : `${clockText(Date.parse(iso))} ${ZONE_WORD}`
}
