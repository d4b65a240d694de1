/** What the record of activity says of a channel, short enough for one line of the detail. */
import type { AuditEntry } from '@trunkline/contract/audit/audit.schema'
import { RESULT_VIEWS } from '../../shared/activity/activity.messages.ts'
import { whatOf } from '../../shared/activity/activity.rules.ts'
import { DATE_LOCALE } from '../../lib/locale/language.ts'
import { clockIso, TIME_ZONE } from '../../lib/locale/time-zone.ts'

/** The dialog says it. */
const OF_CHANNEL = [' of channel', ' channel']

/** 'Switched off', 'Switched source to …'; 'Restart, failed'. Which channel, the dialog says. */
export function changeText(entry: AuditEntry): string {
  const end = entry.result === 'done' ? '' : RESULT_VIEWS[entry.result].word.toLowerCase()
  const what = whatOf(entry).replace(new RegExp(`(${OF_CHANNEL.join('|')})\\b`), '')
  return [[what, toWhat(entry)].filter(Boolean).join(' '), end].filter(Boolean).join(', ')
}

/** '' where the words of the call say it all, or the line is of another form than ours. */
function toWhat({ call, after }: AuditEntry): string {
  if (typeof after !== 'object' || after === null) return ''
  if (call === 'channels.rename' && 'title' in after) return `to ${String(after.title)}`
  if (call === 'channels.selectInput' && 'input' in after) return `to ${String(after.input)}`
  if (call !== 'channels.changeStatus') return ''
  if ('disabled' in after) return after.disabled === true ? 'off' : 'on'
  return 'pushes' in after && Array.isArray(after.pushes) ? pushesText(after.pushes) : ''
}

/** The call takes the whole list, so the line tells how it stood afterwards. */
function pushesText(pushes: readonly unknown[]): string {
  const off = pushes.filter((push) => isDisabled(push)).length
  return `push outputs, ${pushes.length - off} of ${pushes.length} on`
}

function isDisabled(push: unknown): boolean {
  return typeof push === 'object' && push !== null && 'disabled' in push && push.disabled === true
}

/** '13:59' of today, '21 Nov' of another day. */
export function whenText(at: string, nowMs: number): string {
  const clock = clockIso(Date.parse(at))
  const isToday = clock.slice(0, 10) === clockIso(nowMs).slice(0, 10)
  if (isToday) return clock.slice(11, 16)
  return new Date(at).toLocaleDateString(DATE_LOCALE, {
    day: 'numeric',
    month: 'short',
    timeZone: TIME_ZONE,
  })
}
