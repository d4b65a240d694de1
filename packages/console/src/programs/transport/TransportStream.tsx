/** The transport stream on a link's local bus: what is wrong first, then its figures and its PIDs. */
import { isNotice, transportFaults } from '@trunkline/contract/fleet/transport.rules'
import type {
  MeasuredTransport,
  TransportContent,
  TransportPid,
  TransportReport,
} from '@trunkline/contract/fleet/transport.schema'
import type { ReactNode } from 'react'
import { useApiNow, useTransport } from '../../lib/live/live-hooks.ts'
import { fineText, numberText, UNKNOWN } from '../../shared/format.ts'
import { FigureHead, FigurePanel, FigureTable } from '../figures/FigurePanel.tsx'
import { Shape } from '../../ui/symbol/Shape.tsx'
import {
  CONTENT_TEXT,
  contentFaultText,
  faultText,
  JITTER_HINT,
  LEVEL_HINT,
  lookedText,
  measuredText,
  pidText,
  TRANSPORT_CLEAN,
  TRANSPORT_LABEL,
  TRANSPORT_NONE,
  UNREAD_TEXT,
} from './transport.messages.ts'
import { TransportHistory } from './TransportHistory.tsx'
import type { TransportLinkKind } from './transport-history.queries.ts'
import classes from './TransportStream.module.css'

interface TransportStreamProps {
  kind: TransportLinkKind
  id: string
  title: string
}

/** While it is mounted the host measures without gaps. */
export function TransportStream({ kind, id, title }: TransportStreamProps) {
  const report = useTransport(kind, id)?.report ?? null
  return (
    <FigurePanel label={`${TRANSPORT_LABEL} of ${title}`}>
      <FigureHead>
        <h2>{TRANSPORT_LABEL}</h2>
        {report?.state === 'measured' && <Measured report={report} />}
      </FigureHead>
      {report === null && <p className={classes.note}>{TRANSPORT_NONE}</p>}
      {report?.state === 'unread' && <p className={classes.note}>{UNREAD_TEXT[report.reason]}</p>}
      {report?.state === 'measured' && (
        <>
          <Faults report={report} />
          {report.content !== null && <Content content={report.content} />}
          <Figures report={report} />
          <Pids report={report} />
        </>
      )}
      {!isUnicast(report) && <TransportHistory kind={kind} id={id} report={report} />}
    </FigurePanel>
  )
}

/** Its bus is never read: there is no history either. */
function isUnicast(report: TransportReport | null): boolean {
  return report?.state === 'unread' && report.reason === 'unicast'
}

function Measured({ report }: { report: MeasuredTransport }) {
  return <span>{measuredText(report, useApiNow())}</span>
}

function Faults({ report }: { report: MeasuredTransport }) {
  const faults = transportFaults(report)
  if (faults.length === 0) {
    return (
      <p className={classes.clean}>
        <Shape shape="disc" family="ok" size={12} /> {TRANSPORT_CLEAN}
      </p>
    )
  }
  return (
    <ul className={classes.faults} aria-label="Errors">
      {faults.map((fault) => (
        <li key={`${fault.kind} ${fault.pid}`} data-notice={isNotice(fault) || undefined}>
          <Shape
            shape={isNotice(fault) ? 'half-disc' : 'triangle'}
            family={isNotice(fault) ? 'warn' : 'bad'}
            size={12}
          />
          {faultText(fault, report.pids)}
        </li>
      ))}
    </ul>
  )
}

/** Picture and audio, as they were when they were decoded last. */
function Content({ content }: { content: TransportContent }) {
  const nowMs = useApiNow()
  const { picture, sound, peakDbfs } = content
  const bad = [picture, sound].filter((seen) => seen !== null && isBad(seen.kind))
  return (
    <>
      {bad.length > 0 && (
        <ul className={classes.faults} aria-label="Picture and audio">
          {bad.map(
            (seen) =>
              seen !== null && (
                <li key={seen.kind}>
                  <Shape shape="triangle" family="warn" size={12} />
                  {contentFaultText(seen, nowMs)}
                </li>
              ),
          )}
        </ul>
      )}
      <dl className={classes.figures}>
        <Figure label="Picture">{picture === null ? UNKNOWN : CONTENT_TEXT[picture.kind]}</Figure>
        <Figure label="Audio">{sound === null ? UNKNOWN : CONTENT_TEXT[sound.kind]}</Figure>
        <Figure label="Audio peak" hint={LEVEL_HINT}>
          {peakDbfs === null ? UNKNOWN : `${fineText(peakDbfs)} dBFS`}
        </Figure>
      </dl>
      <p className={classes.note}>{lookedText(content, nowMs)}</p>
    </>
  )
}

function isBad(kind: keyof typeof CONTENT_TEXT): boolean {
  return kind !== 'moving' && kind !== 'heard'
}

function Figures({ report }: { report: MeasuredTransport }) {
  const { bitrateKbps, pat, programs, pcrs } = report
  const pmts = programs.filter(({ sections }) => sections > 0)
  return (
    <dl className={classes.figures}>
      <Figure label="Bitrate">{numberText(bitrateKbps)} kbit/s</Figure>
      <Figure label="Longest PAT interval">
        {milliseconds(pat.sections > 0 ? [pat.longestGapMs] : [])}
      </Figure>
      <Figure label="Longest PMT interval">
        {milliseconds(pmts.map(({ longestGapMs }) => longestGapMs))}
      </Figure>
      <Figure label="Longest PCR interval">
        {milliseconds(pcrs.map(({ longestIntervalMs }) => longestIntervalMs))}
      </Figure>
      <Figure label="PCR arrival jitter" hint={JITTER_HINT}>
        {milliseconds(pcrs.map(({ jitterMs }) => jitterMs))}
      </Figure>
    </dl>
  )
}

/** The worst of several programs. */
function milliseconds(values: readonly number[]): string {
  return values.length === 0 ? UNKNOWN : `${fineText(Math.max(...values))} ms`
}

function Figure({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
  return (
    <div title={hint}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Pids({ report: { pids, pidCount, programs } }: { report: MeasuredTransport }) {
  if (pids.length === 0) return null
  const clocks = new Set(programs.map(({ pcrPid }) => pcrPid))
  return (
    <FigureTable
      label="PIDs"
      note={
        pidCount > pids.length && (
          <p className={classes.note}>
            {numberText(pidCount)} PIDs, of which {pids.length} are shown.
          </p>
        )
      }
    >
      <thead>
        <tr>
          <th scope="col" data-number>
            PID
          </th>
          <th scope="col">Content</th>
          <th scope="col" data-number>
            Bitrate <small>kbit/s</small>
          </th>
          <th scope="col" data-number>
            Continuity errors
          </th>
          <th scope="col" data-number>
            Scrambled <small>packets</small>
          </th>
        </tr>
      </thead>
      <tbody>
        {pids.map((pid) => (
          <PidRow key={pid.pid} pid={pid} isClock={clocks.has(pid.pid)} />
        ))}
      </tbody>
    </FigureTable>
  )
}

function PidRow({ pid, isClock }: { pid: TransportPid; isClock: boolean }) {
  return (
    <tr>
      <th scope="row" data-number>
        {pid.pid}
      </th>
      <td>
        {pidText(pid)} {isClock && <small>with PCR</small>}
      </td>
      <td data-number>{fineText(pid.bitrateKbps)}</td>
      <td data-number data-bad={pid.continuityErrors > 0 || undefined}>
        {numberText(pid.continuityErrors)}
      </td>
      <td data-number data-bad={pid.scrambledPackets > 0 || undefined}>
        {numberText(pid.scrambledPackets)}
      </td>
    </tr>
  )
}
