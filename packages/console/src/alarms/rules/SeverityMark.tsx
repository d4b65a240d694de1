import type { Severity } from '@trunkline/contract/alarms/open-alarms.schema'
import { Shape } from '../../ui/symbol/Shape.tsx'
import { lookOfHead } from '../alarm-view.rules.ts'
import { SEVERITY_WORDS } from '../alarm.messages.ts'
import classes from './RulesView.module.css'

export function SeverityMark({ severity }: { severity: Severity }) {
  const { family, shape } = lookOfHead({ severity, overSinceMs: null })
  return (
    <span className={classes.severity}>
      <Shape shape={shape} family={family} />
      {SEVERITY_WORDS[severity]}
    </span>
  )
}
