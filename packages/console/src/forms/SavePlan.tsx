/** 'On save': what changes, old to new, what to know of it, and what it does to what runs (Q90, Q178). */
import { Icon } from '../ui/symbol/Icon.tsx'
import { Shape } from '../ui/symbol/Shape.tsx'
import classes from './SavePlan.module.css'
import { Section } from '../shared/page/Section.tsx'
import { changesText } from './unsaved.messages.ts'

export interface PlannedChange {
  name: string
  label: string
  before: string
  after: string
  /** Why, where nobody typed it; '' for a change by hand. */
  why: string
}

interface SavePlanProps {
  changes: readonly PlannedChange[]
  warnings: readonly string[]
  /** Name of the list of warnings for those who do not see it. */
  warningsLabel: string
  consequence: { title: string; text: string }
}

export function SavePlan({ changes, warnings, warningsLabel, consequence }: SavePlanProps) {
  return (
    <Section title="On save" aside={changesText(changes.length)}>
      <ul className={classes.plan}>
        {changes.map(({ name, label, before, after, why }) => (
          <li key={name}>
            <span>{label}</span>
            <span>
              <del>{before}</del> → <ins>{after}</ins>
            </span>
            <span className={classes.why}>{why}</span>
          </li>
        ))}
      </ul>
      {warnings.length > 0 && (
        <ul className={classes.warnings} aria-label={warningsLabel}>
          {warnings.map((warning) => (
            <li key={warning}>
              <Shape shape="triangle" family="warn" />
              <span>{warning}</span>
            </li>
          ))}
        </ul>
      )}
      <p className={classes.consequence}>
        <Icon name="restart" size={14} />
        <span>
          <b>{consequence.title}</b> {consequence.text}
        </span>
      </p>
    </Section>
  )
}
