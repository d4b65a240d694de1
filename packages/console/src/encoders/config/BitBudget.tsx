/** Whether the bitrates fit into the mux rate, and the three calculations (CFG-24 to CFG-26, Q76, Q78). */
import { BITS_OF_BUDGET_KBIT } from '@trunkline/contract/encoders/bit-budget.rules'
import { numberText } from '../../shared/format.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Shape } from '../../ui/symbol/Shape.tsx'
import { calculationFault } from './config-check.rules.ts'
import type { ConfigForm } from './config-form.hook.ts'
import {
  budgetOf,
  calculate,
  calculatedEdit,
  type Calculation,
  CALCULATIONS,
  type Rates,
} from './config-form.rules.ts'
import * as text from './config.messages.ts'
import classes from './Rail.module.css'
import { Section } from '../../shared/page/Section.tsx'

export function BitBudget({ form }: { form: ConfigForm }) {
  const rates = budgetOf(form.state.values)
  const isOver = rates !== null && rates.budget.excessKbps > 0
  return (
    <Section title="Bit budget" aside="mux rate = 1.12 × (video + audio) × 1024" isWarned={isOver}>
      {rates !== null && <Bar {...rates} />}
      <div className={classes.calculations}>
        {CALCULATIONS.map((which) => (
          <CalculationRow key={which} form={form} which={which} />
        ))}
      </div>
    </Section>
  )
}

const NAMES: Readonly<Record<Calculation, string>> = {
  video: 'Video bitrate',
  audio: 'Audio bitrate',
  mux: 'Mux rate',
}
const CALCULATE: Readonly<Record<Calculation, string>> = {
  video: 'Calculate video',
  audio: 'Calculate audio',
  mux: 'Calculate mux',
}
const UNITS: Readonly<Record<Calculation, string>> = {
  video: 'kbit/s',
  audio: 'kbit/s',
  mux: 'bit/s',
}

function CalculationRow({ form, which }: { form: ConfigForm; which: Calculation }) {
  const result = calculate(form.state.values, which)
  const fault = calculationFault(which, result)
  return (
    <>
      <span className={form.isReadOnly ? classes.alone : undefined}>
        {fault === '' ? (
          <>
            {NAMES[which]} <b>{numberText(result)}</b> {UNITS[which]}
          </>
        ) : (
          `${NAMES[which]}: ${fault}`
        )}
      </span>
      {!form.isReadOnly && (
        <Button
          size={28}
          disabledReason={fault === '' ? null : `${NAMES[which]} ${fault}`}
          onClick={() => result !== null && form.take(calculatedEdit(which, result))}
        >
          {CALCULATE[which]}
        </Button>
      )}
    </>
  )
}

function Bar({ videoKbps, audioKbps, muxRateBps, budget }: Rates) {
  const { neededBps, excessKbps } = budget
  const whole = Math.max(neededBps, muxRateBps, 1)
  const share = (bps: number) => `${(100 * bps) / whole}%`
  const videoBps = videoKbps * BITS_OF_BUDGET_KBIT
  const audioBps = audioKbps * BITS_OF_BUDGET_KBIT
  const streamsBps = videoBps + audioBps
  const isOver = excessKbps > 0
  return (
    <>
      <div className={classes.bar} aria-hidden="true">
        <div className={classes.part} data-part="video" style={{ width: share(videoBps) }}>
          Video {numberText(videoKbps)}
        </div>
        <div
          className={classes.part}
          data-part="audio"
          style={{ left: share(videoBps), width: share(audioBps) }}
        />
        <div
          className={classes.part}
          data-part="transport"
          style={{ left: share(streamsBps), width: share(neededBps - streamsBps) }}
        />
        {isOver && (
          <div
            className={classes.part}
            data-part="excess"
            style={{ left: share(muxRateBps), right: 0 }}
          />
        )}
        <div
          className={classes.limit}
          data-over={isOver || undefined}
          data-far={muxRateBps < whole / 2 || undefined}
          style={{ left: `min(${share(muxRateBps)}, 100% - 2px)` }}
        >
          <span>Mux rate {numberText(muxRateBps)}</span>
        </div>
      </div>
      <div className={classes.legend}>
        <span>
          <i />
          Video
        </span>
        <span>
          <i data-part="audio" />
          Audio {numberText(audioKbps)}
        </span>
        <span>
          <i data-part="transport" />
          Transport 12 %
        </span>
        <span>{numberText(neededBps)} needed</span>
      </div>
      {isOver && (
        <p className={classes.say}>
          <Shape shape="triangle" family="warn" size={16} />
          {text.tooMuch(numberText(excessKbps))}
        </p>
      )}
    </>
  )
}
