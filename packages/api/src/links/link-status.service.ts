/** The contribution dialect of a status (decisions.md 14), for inputs and outputs alike. */
import {
  ERROR_DISABLED,
  toContributionStatus,
  type ContributionStatusReply,
} from '@trunkline/contract/program-state'
import type { Context } from '../context.ts'
import { programIdOf } from '../programs/wanted-program.ts'
import { isLocal, type LinkRecord } from './link-kind.service.ts'
import type { LinkName } from './link.store.ts'

export type LinkStatusReply = ContributionStatusReply

export function linkStatus(ctx: Context, kind: LinkName, link: LinkRecord): LinkStatusReply {
  if (isLocal(link)) return { status: false, results: 'Local', state: 'absent' }
  if (!link.isEnabled) {
    return { status: false, error: ERROR_DISABLED, results: '', state: 'disabled' }
  }
  const seen = ctx.board.program(programIdOf(kind, link.id)) ?? UNREAD
  return toContributionStatus(link.name, seen, ctx.clock())
}

/** The fleet has not read this program yet. */
const UNREAD = {
  state: 'unreachable',
  wanted: 'stopped',
  pid: null,
  startedAtMs: null,
  cause: '',
} as const

export function unsealed(ctx: Context, link: { passphraseSealed: string | null }): string {
  return link.passphraseSealed === null ? '' : ctx.keys.open(link.passphraseSealed)
}
