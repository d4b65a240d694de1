/** One line of activity as it is read: who, what, to what, and why. */
import type { AuditEntry } from '@trunkline/contract/audit/audit.schema'
import {
  DISABLE_WORDS,
  ENABLE_WORDS,
  wordsOfCall,
  wordsOfCommand,
} from '@trunkline/contract/audit/call.messages'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@trunkline/contract/durations'
import { COMMANDED_WORDS, KIND_WORDS, NOT_SIGNED_IN, SYSTEM } from './activity.messages.ts'

const SIGN_IN = 'session.login'
const ENABLING_CALLS: readonly string[] = [
  'encoders.enable',
  'inputs.setStatus',
  'outputs.setStatus',
]
/** Their reason begins with the command: 'start', or 'start: the host did not answer'. */
const COMMAND_CALLS: readonly string[] = ['encoders.control', 'contributions.action']

interface Who {
  name: string
  /** '' where there is none. */
  role: string
}

/** A wrong password proves nobody: whose account it was stands as the object. */
export function whoOf(entry: AuditEntry): Who {
  if (isRefusedSignIn(entry)) return { name: NOT_SIGNED_IN, role: '' }
  if (entry.actor === null) return { name: SYSTEM, role: '' }
  const { fullName, role } = entry.actor
  // A service has its token's title for a name.
  const hasToken = entry.token !== '' && entry.token !== fullName
  return { name: hasToken ? `${fullName}, token '${entry.token}'` : fullName, role: role ?? '' }
}

/** 'Edited encoder'; 'Edit encoder' when nothing came of it; the call's name when it is unknown. */
export function whatOf(entry: AuditEntry): string {
  const at = entry.result === 'done' ? 0 : 1
  const command = wordsOfCommand(commandOf(entry))
  if (command !== null) return `${command[at]} ${targetOf(entry)}`
  const isEnabled = enabledAfter(entry)
  if (isEnabled !== null) {
    return `${(isEnabled ? ENABLE_WORDS : DISABLE_WORDS)[at]} ${targetOf(entry)}`
  }
  return wordsOfCall(entry.call)?.[at] ?? entry.call
}

/** What was asked of an object that can be enabled; null for other calls. */
function enabledAfter({ call, after }: AuditEntry): boolean | null {
  if (!ENABLING_CALLS.includes(call)) return null
  if (typeof after !== 'object' || after === null || !('isEnabled' in after)) return null
  return typeof after.isEnabled === 'boolean' ? after.isEnabled : null
}

interface Subject {
  /** 'Encoder'; '' for what is about no object. */
  kind: string
  title: string
  /** Stands in for the title of what has none. */
  id: string
}

export function subjectOf(entry: AuditEntry): Subject {
  const { object, actor } = entry
  if (object === null) return { kind: '', title: '', id: '' }
  const account = isRefusedSignIn(entry) ? (actor?.fullName ?? '') : ''
  return { kind: KIND_WORDS[object.kind], title: object.title || account, id: object._id }
}

/** Without the command, which `whatOf` says already. */
export function reasonOf(entry: AuditEntry): string {
  const command = commandOf(entry)
  if (command === '') return entry.reason
  return entry.reason.slice(command.length).replace(/^:\s*/, '')
}

function commandOf({ call, reason }: AuditEntry): string {
  if (!COMMAND_CALLS.includes(call)) return ''
  const command = /^[a-z]+(?=$|:)/.exec(reason)?.[0] ?? ''
  return wordsOfCommand(command) === null ? '' : command
}

/** A feeder has no kind of its own: its line is about its encoder. */
function targetOf({ call, object }: AuditEntry): string {
  if (call === 'contributions.action' && object?.kind === 'encoder') return 'feeder'
  if (object === null) return 'link'
  return COMMANDED_WORDS[object.kind] ?? KIND_WORDS[object.kind].toLowerCase()
}

function isRefusedSignIn({ call, result }: AuditEntry): boolean {
  return call === SIGN_IN && result !== 'done'
}

/** `just now`, `5 min ago`, `3 h ago`, `12 d ago`: a line of history does not tick. */
export function agoText(ageMs: number): string {
  if (ageMs < MINUTE_MS) return 'just now'
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)} min ago`
  if (ageMs < DAY_MS) return `${Math.floor(ageMs / HOUR_MS)} h ago`
  return `${Math.floor(ageMs / DAY_MS)} d ago`
}
