/** Who may touch an encoder that they see (matrix rows H to Q). */
import { mayDo } from '@trunkline/contract/role-table'
import type { Actor } from '../security/actor.ts'

/** Start, stop, restart, configure: everybody who sees it but a monitor (Q33). */
export function mayOperate(actor: Actor): boolean {
  return mayDo(actor.role, 'controlEncoder')
}

/** An editor may change the configuration and nothing else (Q34). */
export function mayEditRecord(actor: Actor): boolean {
  return mayDo(actor.role, 'editEncoder')
}
