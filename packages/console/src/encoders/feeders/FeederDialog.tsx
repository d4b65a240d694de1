/** 'Add feeder' and 'Edit feeder': what it reads, where it sends, and how. */
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { type Form, textProps, useForm } from '../../forms/form.hook.ts'
import { maxBandwidthHint } from '../../shared/bandwidth.rules.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Band } from '../../ui/Notice.tsx'
import { AdvancedFields } from './AdvancedFields.tsx'
import { useSaveFeeder } from './feeder.actions.ts'
import * as text from './feeder.messages.ts'
import {
  bandwidthWarning,
  bodyOf,
  checkFeeder,
  currentFeeder,
  FEEDER_FIELDS,
  FEEDER_LABELS,
  feederValuesOf,
  latencyHint,
  newFeederValues,
  nextInputPort,
  type FeederValues,
} from './feeder-form.rules.ts'
import { useOffer } from './feeder-offer.hook.ts'
import { KeyFields } from './KeyFields.tsx'
import { TargetFields } from './TargetFields.tsx'
import classes from './FeederDialog.module.css'

interface FeederDialogProps {
  encoder: Encoder
  /** As it was when the dialog was opened; null for a new one. */
  feeder: Feeder | null
  onClose: () => void
}

export function FeederDialog(props: FeederDialogProps) {
  const { config } = props.encoder
  // FEED-15: without a configuration there is nothing to feed from.
  return config === null ? null : <OpenDialog {...props} config={config} />
}

type Config = NonNullable<Encoder['config']>

function OpenDialog({ encoder, feeder, onClose, config }: FeederDialogProps & { config: Config }) {
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
      onClose()
    },
    fallback: text.UPDATE_FAILED,
    fields: FEEDER_FIELDS,
    readCurrent: (current) => {
      const now = feeder === null ? null : currentFeeder(current, feeder.name)
      return now && { values: feederValuesOf(now.feeder), version: now.version }
    },
  })
  return (
    <FormDialog
      title={feeder === null ? 'Add feeder' : 'Edit feeder'}
      subtitle={feeder?.input.title}
      width={560}
      form={form}
      labels={LABELS}
      saveLabel={feeder === null ? 'Add feeder' : 'Save'}
      aside={form.complaints === 0 ? undefined : <InNeed count={form.complaints} />}
      onClose={onClose}
    >
      <Field
        label={FEEDER_LABELS.title}
        autoComplete="off"
        data-autofocus
        {...textProps(form, 'title')}
      />
      <TargetFields
        form={form}
        offer={offer}
        inputPort={<InputPort form={form} next={nextInputPort({ ...config, feeder: others })} />}
      />
      <RateFields form={form} muxRateBps={config.muxer['ts-muxrate']} />
      <KeyFields form={form} hasKey={hasKey} />
      <Field
        label={FEEDER_LABELS.multicast}
        autoComplete="off"
        spellCheck={false}
        placeholder="none"
        hint="Optional: reads this group instead of the host’s own address."
        {...textProps(form, 'multicast')}
      />
      <AdvancedFields form={form} />
    </FormDialog>
  )
}

function InNeed({ count }: { count: number }) {
  return <span className={classes.inNeed}>{text.fieldsInNeed(count)}</span>
}

/** The version is the encoder's, so what else was saved of it meanwhile is no conflict here. */
const LABELS = { 'config.feeder': 'this feeder' }

function InputPort({ form, next }: { form: Form<FeederValues>; next: string }) {
  const isTaken = form.errorOf('inputPort') !== '' && next !== form.values.inputPort
  return (
    <Field
      label={FEEDER_LABELS.inputPort}
      inputMode="numeric"
      autoComplete="off"
      hint="The encoder sends there, on its own host."
      right={
        isTaken && next !== '' ? (
          <Button size={28} onClick={() => form.set({ inputPort: next })}>
            Use {next}
          </Button>
        ) : undefined
      }
      {...textProps(form, 'inputPort')}
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
      <div className={classes.pair}>
        <Field
          label={FEEDER_LABELS.latency}
          inputMode="numeric"
          autoComplete="off"
          right={<span className={classes.unit}>ms</span>}
          hint={latencyHint(latency)}
          {...textProps(form, 'latency')}
        />
        <Field
          label={FEEDER_LABELS.maxBandwidth}
          inputMode="numeric"
          autoComplete="off"
          right={<span className={classes.unit}>kbit/s</span>}
          hint={maxBandwidthHint(maxBandwidth)}
          {...textProps(form, 'maxBandwidth')}
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
