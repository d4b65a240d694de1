/** 'Add feeder' and 'Edit feeder': what it reads, where it sends, and how. */
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { useEffect } from 'react'
import { FormText, KeyFields } from '../../forms/DialogFields.tsx'
import { type Form, useForm } from '../../forms/form.hook.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { SrtParameters } from '../../forms/srt-parameters/SrtParameters.tsx'
import { maxBandwidthHint } from '../../shared/link-settings/link-rate.rules.ts'
import { parameterFaults } from '../../shared/link-settings/srt-parameter.rules.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Band } from '../../ui/notice/Notice.tsx'
import {
  bandwidthWarning,
  bodyOf,
  checkFeeder,
  currentFeeder,
  FEEDER_AS_TYPED,
  FEEDER_FIELDS,
  FEEDER_LABELS,
  feederValuesOf,
  latencyHint,
  newFeederValues,
  nextInputPort,
  type FeederValues,
} from './feeder-form.rules.ts'
import { useOffer } from './feeder-offer.hook.ts'
import { useSaveFeeder } from './feeder.actions.ts'
import { REQUIRED } from './feeder.messages.ts'
import * as text from './feeder.messages.ts'
import classes from './FeederDialog.module.css'
import fieldRow from '../../ui/field/FieldRow.module.css'
import { TargetFields } from './TargetFields.tsx'

interface FeederDialogProps {
  encoder: Encoder
  /** As it was when the dialog was opened; null for a new feeder. */
  feeder: Feeder | null
  /** Filled in, not saved; null: as it is. */
  latencyMs: number | null
  onClose: () => void
}

export function FeederDialog(props: FeederDialogProps) {
  const { config } = props.encoder
  // FEED-15: without a configuration there is nothing to feed from.
  return config === null ? null : <OpenDialog {...props} config={config} />
}

type Config = NonNullable<Encoder['config']>

function OpenDialog(props: FeederDialogProps & { config: Config }) {
  const { encoder, feeder, latencyMs, onClose, config } = props
  const offer = useOffer(feeder)
  const hasKey = feeder?.output[0]?.passphraseSet === true
  const others = config.feeder.filter(({ name }) => name !== feeder?.name)
  const save = useSaveFeeder()
  const form = useForm<FeederValues>({
    initial: feeder === null ? newFeederValues(config) : feederValuesOf(feeder),
    version: feeder === null ? null : encoder.version,
    check: (values) => checkFeeder(values, { offer, others, hasKey }),
    save: async (values, version) => {
      const body = bodyOf(encoder, feeder, values, offer)
      await save({ ...body, ...(version === null ? {} : { version }) })
    },
    onSaved: onClose,
    keptAs: ['feeder', encoder._id, feeder?.name],
    labels: FEEDER_LABELS,
    asTyped: FEEDER_AS_TYPED,
    fallback: text.UPDATE_FAILED,
    fields: FEEDER_FIELDS,
    readCurrent: (current) => {
      const now = feeder === null ? null : currentFeeder(current, feeder.name)
      return now && { values: feederValuesOf(now.feeder), version: now.version }
    },
  })
  const { set } = form
  useEffect(() => {
    if (latencyMs !== null) set({ latency: String(latencyMs) })
    // Once: what is typed afterwards counts.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  const { encryption } = form.values
  return (
    <FormDialog
      title={feeder === null ? 'Add feeder' : 'Edit feeder'}
      subtitle={feeder?.input.title}
      width={560}
      form={form}
      saveLabel={feeder === null ? 'Add feeder' : 'Save'}
      aside={form.complaints === 0 ? undefined : <InNeed count={form.complaints} />}
      onClose={onClose}
    >
      <FormText form={form} name="title" data-autofocus />
      <TargetFields
        form={form}
        offer={offer}
        others={others}
        inputPort={<InputPort form={form} next={nextInputPort({ ...config, feeder: others })} />}
      />
      <RateFields form={form} muxRateBps={config.muxer['ts-muxrate']} />
      <KeyFields
        form={form}
        choice="encryption"
        value={encryption}
        choiceHint={hasKey && encryption === 'no' ? text.KEY_HINT.goes : ''}
        onChoose={(choice) => form.set({ encryption: choice })}
        passphrase="passphrase"
        hint={hasKey ? text.KEY_HINT.kept : text.KEY_HINT.fresh}
        className={fieldRow.fit}
        isBelow={false}
      />
      <FormText
        form={form}
        name="multicast"
        spellCheck={false}
        placeholder="none"
        hint="Optional: reads this group instead of the host’s own address."
      />
      <AdvancedFields form={form} />
    </FormDialog>
  )
}

function InNeed({ count }: { count: number }) {
  return <span className={classes.inNeed}>{text.fieldsInNeed(count)}</span>
}

function InputPort({ form, next }: { form: Form<FeederValues>; next: string }) {
  const isTaken = form.errorOf('inputPort') !== '' && next !== form.values.inputPort
  return (
    <FormText
      form={form}
      name="inputPort"
      inputMode="numeric"
      hint="The encoder sends to this port on its own host."
      right={
        isTaken && next !== '' ? (
          <Button size={28} onClick={() => form.set({ inputPort: next })}>
            Use {next}
          </Button>
        ) : undefined
      }
      onChange={(event) => {
        form.set({ inputPort: event.target.value })
        // FEED-14: a port that is taken says so at once.
        form.leave('inputPort')
      }}
    />
  )
}

function RateFields({ form, muxRateBps }: { form: Form<FeederValues>; muxRateBps: number }) {
  const { latency, maxBandwidth } = form.values
  const warning = bandwidthWarning(maxBandwidth, muxRateBps)
  return (
    <>
      <div className={fieldRow.fit}>
        <FormText
          form={form}
          name="latency"
          inputMode="numeric"
          right={<span className={classes.unit}>ms</span>}
          hint={latencyHint(latency)}
        />
        <FormText
          form={form}
          name="maxBandwidth"
          inputMode="numeric"
          right={<span className={classes.unit}>kbit/s</span>}
          hint={maxBandwidthHint(maxBandwidth)}
        />
      </div>
      {warning !== '' && (
        <Band family="warn" shape="triangle">
          {warning}
        </Band>
      )}
    </>
  )
}

const WELL = { key: '', value: '' }

/** SRT parameters by name, each with its unit, its limits and what it is for. */
function AdvancedFields({ form }: { form: Form<FeederValues> }) {
  const { advanced } = form.values
  const faults = parameterFaults(advanced, REQUIRED)
  // A parameter complains once the list was left or saved, as every field does.
  const hasErrors = form.errorOf('advanced') !== ''
  return (
    <fieldset className={classes.advanced}>
      <legend>{FEEDER_LABELS.advanced}</legend>
      <SrtParameters
        list={advanced}
        mayAdd
        errorsOf={(index) => (hasErrors ? faults[index] : undefined) ?? WELL}
        onChange={(list) => form.set({ advanced: list })}
        onLeave={(_, part) => {
          // Only then is a line whole.
          if (part === 'value') form.leave('advanced')
        }}
      />
    </fieldset>
  )
}
