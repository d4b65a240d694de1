import { mayDo } from '@trunkline/contract/role-table'
import { useRole } from '../../lib/session.ts'
import { OVERRIDE_REFUSED } from '../alarm.messages.ts'

/** Why this person only sees the rules; null where they may override them. */
export function useOverrideRefusal(): string | null {
  return mayDo(useRole(), 'overrideAlarmRules') ? null : OVERRIDE_REFUSED
}
