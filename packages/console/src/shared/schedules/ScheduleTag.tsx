/** What is scheduled for an object, beside its name; loaded once the page is there. */
import type { ScheduleKind } from '@trunkline/contract/schedules/schedule.schema'
import { createElement, memo } from 'react'
import { later, useLater } from '../../lib/later.ts'

export interface ScheduleTagProps {
  kind: ScheduleKind
  id: string
}

const SHOWN = later(
  'schedule tag',
  async () => (await import('./ShownScheduleTag.tsx')).ShownScheduleTag,
)

export const ScheduleTag = memo(function ScheduleTag(props: ScheduleTagProps) {
  const shown = useLater(SHOWN)
  return typeof shown === 'string' ? null : createElement(shown, props)
})
