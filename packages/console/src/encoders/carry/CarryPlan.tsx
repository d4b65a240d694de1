/** What will be created, before it is created. */
import { Section } from '../../shared/page/Section.tsx'
import { PLAN_INCOMPLETE } from './carry.messages.ts'
import type { CarryPlan as Plan } from './carry-plan.rules.ts'
import classes from './CarryDialog.module.css'

/** `plan`: null while a field is missing or wrong. */
export function CarryPlan({ plan }: { plan: Plan | null }) {
  return (
    <div className={classes.plan} aria-live="polite">
      <Section title="Plan">
        {plan === null ? (
          <p>{PLAN_INCOMPLETE}</p>
        ) : (
          <>
            <ol>
              {plan.parts.map(({ part, verb, route, detail }) => (
                <li key={part}>
                  <b>
                    {part} <i>{verb}</i>
                  </b>
                  <span>{route}</span>
                  <span>{detail}</span>
                </li>
              ))}
            </ol>
            <ul aria-label="Notes on the plan">
              {plan.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </>
        )}
      </Section>
    </div>
  )
}
