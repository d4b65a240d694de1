/** Beside the fields: what the link does now, whatever stands in the form, and what saving means. */
import { useQuery } from '@tanstack/react-query'
import { useProgram } from '../../lib/live/live-hooks.ts'
import { agoText, numberText, UNKNOWN } from '../../shared/format.ts'
import { peerOf } from '../../programs/status/peer-facts.rules.ts'
import { PeerWords } from '../../programs/status/PeerWords.tsx'
import { SavePlan } from '../../forms/SavePlan.tsx'
import { Section } from '../../shared/page/Section.tsx'
import { linkLogQuery } from '../contribution.queries.ts'
import type { ProgramView } from '../../programs/status/program-view.hook.ts'
import { consequenceOf } from './form.messages.ts'
import type { LinkValues } from './link-field.rules.ts'
import type { LinkForm, Running } from './link-form.hook.ts'
import { capWarning, whichConsequence } from './link-form.rules.ts'
import classes from './LinkRail.module.css'

export function LinkRail({ form, running }: { form: LinkForm; running: Running | null }) {
  const { values } = form.state
  const cap = capWarning(values, useCarriedKbps(values, running))
  const saved = running && { ...running, state: running.shown.status?.state ?? null }
  const which = whichConsequence(saved, values.inputType)
  return (
    <>
      {running?.isGone === false && running.link.type !== 'Local' && <NowCard running={running} />}
      <SavePlan
        changes={form.changes}
        warnings={cap === '' ? [] : [cap]}
        warningsLabel="Notes on these settings"
        consequence={consequenceOf(which, values.kind, running?.link.outputs ?? 0)}
      />
    </>
  )
}

/** Of the link itself; of an output that does not run, what its input carries. */
function useCarriedKbps(values: LinkValues, running: Running | null): number | null {
  const { kind, contributionId } = values
  const reading = useProgram('input', contributionId)?.reading
  const own = running?.shown.reading?.bitrateKbps ?? null
  if (own !== null || kind === 'input') return own
  return reading?.kind === 'link' ? reading.bitrateKbps : null
}

function NowCard({ running: { link, shown } }: { running: Running }) {
  const { status, reading, uptime } = shown
  const isSilent = status !== null && status.peer === '' && link.isEnabled
  // The log of a link that was never pushed says whether its other end is there (CON-IN-26).
  const log = useQuery({ ...linkLogQuery(link, 'glance'), enabled: isSilent }).data?.results ?? ''
  const peer = peerOf(status, log.split('\n'))
  return (
    <Section title="Now" aside={ageText(shown)}>
      <div className={classes.now}>
        <p className={classes.peer}>
          <PeerWords peer={peer} />
        </p>
        <dl>
          <dt>Bitrate</dt>
          <dd>{withUnit(reading?.bitrateKbps ?? null, 'kbit/s')}</dd>
          <dt>RTT</dt>
          <dd>{withUnit(reading?.rttMs ?? null, 'ms')}</dd>
          <dt>Uptime</dt>
          <dd>{uptime === '' ? UNKNOWN : uptime}</dd>
          {link.kind === 'input' && (
            <>
              <dt>Outputs</dt>
              <dd>{link.outputs}</dd>
            </>
          )}
        </dl>
        {status?.cause && <p className={classes.cause}>{status.cause}</p>}
      </div>
    </Section>
  )
}

function withUnit(value: number | null, unit: string): string {
  return value === null ? UNKNOWN : `${numberText(value)} ${unit}`
}

/** How old what is shown is. */
function ageText({ status, nowMs }: ProgramView): string {
  const readAtMs = status?.readAtMs ?? null
  return readAtMs === null ? '' : `read ${agoText(nowMs - readAtMs)}`
}
