/** 'Carry this encoder to…': shows the plan for a feeder, its input and one output, and creates them in one call. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { useState } from 'react'
import { FormText } from '../../forms/DialogFields.tsx'
import { useForm } from '../../forms/form.hook.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useProgram } from '../../lib/live/live-hooks.ts'
import { offersStop } from '../../programs/command/command.rules.ts'
import { Section } from '../../shared/page/Section.tsx'
import { encoderQuery } from '../encoder.queries.ts'
import {
  bodyOf,
  CARRY_FIELDS,
  CARRY_LABELS,
  type CarryUse,
  type CarryValues,
  checkCarry,
  newCarryValues,
  feederUseOf,
} from './carry-form.rules.ts'
import { useCarryLookups } from './carry-lookups.hook.ts'
import { planOf, type CarryPlan as Plan } from './carry-plan.rules.ts'
import { type Carried, useCarry } from './carry.actions.ts'
import * as text from './carry.messages.ts'
import classes from './CarryDialog.module.css'
import { FeederLegFields } from './FeederLegFields.tsx'
import { OutputLegFields } from './OutputLegFields.tsx'
import { Lead } from '../../ui/dialog/Dialog.tsx'
import { ResultDialog } from '../../ui/dialog/ResultDialog.tsx'

interface CarryDialogProps {
  /** As it was when the dialog was opened. */
  encoder: Encoder
  onClose: () => void
}

interface Made {
  made: Carried
  use: CarryUse
}

export function CarryDialog({ encoder: given, onClose }: CarryDialogProps) {
  const [done, setDone] = useState<Made | null>(null)
  const encoder = useQuery({ ...encoderQuery(given._id), placeholderData: given }).data ?? given
  if (done !== null) return <CarriedDialog {...done} onClose={onClose} />
  // Without a configuration there is nothing to carry (FEED-15).
  if (encoder.config === null) return null
  return <CarryForm encoder={encoder} config={encoder.config} onMade={setDone} onClose={onClose} />
}

interface CarryFormProps extends CarryDialogProps {
  config: EncoderConfig
  onMade: (done: Made) => void
}

function CarryForm({ encoder, config, onMade, onClose }: CarryFormProps) {
  const carry = useCarry(encoder)
  const lookups = useCarryLookups(encoder, config)
  const { known } = lookups
  const form = useForm<CarryValues>({
    initial: newCarryValues(encoder, config),
    version: null,
    check: (values) => checkCarry(values, known),
    save: async (values) => {
      try {
        const made = await carry(bodyOf(values, known))
        onMade({ made, use: feederUseOf(values) })
      } catch (error) {
        lookups.readAgain()
        throw error
      }
    },
    keptAs: ['carry', encoder._id],
    labels: CARRY_LABELS,
    fallback: text.FAILED,
    fields: CARRY_FIELDS,
  })
  const isRunning = offersStop(useProgram('encoder', encoder._id)?.state ?? null)
  const plan = form.isValid
    ? planOf(form.values, known, { serverTitle: lookups.serverTitle, isRunning })
    : null
  return (
    <FormDialog
      title={text.CARRY}
      subtitle={encoder.title}
      width={720}
      form={form}
      saveLabel={text.SAVE_LABELS[feederUseOf(form.values)]}
      onClose={onClose}
    >
      <Lead>{text.LEAD}</Lead>
      <div className={classes.columns}>
        <div className={classes.fields}>
          <FormText form={form} name="title" data-autofocus />
          <FeederLegFields form={form} known={known} lookups={lookups} />
          <OutputLegFields form={form} known={known} lookups={lookups} />
        </div>
        <CarryPlan plan={plan} />
      </div>
    </FormDialog>
  )
}

/** What will be created, before it is created. `plan`: null while a field is missing or wrong. */
function CarryPlan({ plan }: { plan: Plan | null }) {
  return (
    <div className={classes.plan} aria-live="polite">
      <Section title="Plan">
        {plan === null ? (
          <p>{text.PLAN_INCOMPLETE}</p>
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

interface CarriedDialogProps {
  made: Carried
  /** What was done with the feeder. */
  use: CarryUse
  onClose: () => void
}

/** Afterwards: what was created, and where each part is started. */
function CarriedDialog({ made, use, onClose }: CarriedDialogProps) {
  const { encoder, feeder, input, output } = made
  return (
    <ResultDialog title="Encoder carried" subtitle={encoder.title} onClose={onClose}>
      <Lead>{text.MADE[use]}</Lead>
      <ul className={classes.made}>
        <li>
          Input{' '}
          <Link to="/dashboard/contribution" preload={false}>
            {input.title}
          </Link>{' '}
          on {input.serverInfo.title}
        </li>
        <li>
          Output{' '}
          <Link to="/dashboard/contribution" search={{ tab: 'outputs' }} preload={false}>
            {output.title}
          </Link>{' '}
          on {input.serverInfo.title}
        </li>
        <li>
          Feeder{' '}
          <Link
            to="/dashboard/edit_encoder/$id"
            params={{ id: encoder._id }}
            search={{ tab: 'feeder' }}
            preload={false}
          >
            {feeder.input.title}
          </Link>{' '}
          of {encoder.title}
        </li>
      </ul>
    </ResultDialog>
  )
}
