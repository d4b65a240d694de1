/** The contribution dialect of a status (decisions.md 14), for inputs and outputs alike. */
import {
  ERROR_DISABLED,
  toContributionStatus,
  type ContributionStatusReply,
} from '@trunkline/contract/program-state'
import type { Context } from '../context.ts'

export type LinkStatusReply = ContributionStatusReply

export function linkStatus(
  ctx: Context,
  link: { name: string; isEnabled: boolean },
  programId: string,
): LinkStatusReply {
  if (!link.isEnabled) {
    return { status: false, error: ERROR_DISABLED, results: '', state: 'disabled' }
  }
  return toContributionStatus(link.name, ctx.board.program(programId) ?? UNREAD, ctx.clock())
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
