/** The tabs Video, Audio and Mux of the configuration form. */
import {
  AAC_ENCAPS,
  ASPECT_RATIOS,
  AUDIO_TYPES,
  LEVELS,
  MP2_MODES,
  TS_TYPES,
} from '@trunkline/contract/encoders/encoder-config.schema'
import type { EncoderHost } from '@trunkline/contract/encoders/encoder.calls'
import { widthChoices } from '@trunkline/contract/encoders/video-format.rules'
import { Unit } from '../../forms/ChangedField.tsx'
import { Fields, Section } from '../../shared/Section.tsx'
import { Field } from '../../ui/Field.tsx'
import { Icon } from '../../ui/Icon.tsx'
import type { FieldName } from './config-field.rules.ts'
import type { ConfigForm } from './config-form.hook.ts'
import { aacProfileChoices, bufferHint, keyintHint, threadsHint } from './config-hint.rules.ts'
import { videoFormatOf } from './config-values.rules.ts'
import * as text from './config.messages.ts'
import { ChoiceField, NumberField, plainChoices, SwitchField, TextField } from './ConfigField.tsx'

interface TabProps {
  form: ConfigForm
  /** Null while it was never heard. */
  host: EncoderHost | null
}

/** CFG-30. */
const CODECS = [{ value: 'avc', label: 'H.264 (avc)' }]
const PROFILES = plainChoices(['main', 'high'])
const AUDIO_FORMATS = plainChoices(['mp2', 'aac'])

export function VideoTab({ form, host }: TabProps) {
  const { values } = form.state
  return (
    <>
      <Section title="Codec and picture">
        <Fields columns={3}>
          <ChoiceField form={form} name="video-stream.format" choices={CODECS} />
          <ChoiceField form={form} name="video-stream.profile" choices={PROFILES} />
          <ChoiceField form={form} name="video-stream.level" choices={plainChoices(LEVELS)} />
          <ChoiceField
            form={form}
            name="video-stream.width"
            choices={widths(
              values.fields['video-stream.width'],
              widthChoices(videoFormatOf(values)),
            )}
          />
          <ChoiceField
            form={form}
            name="video-stream.aspect-ratio"
            choices={plainChoices(ASPECT_RATIOS)}
          />
          <SwitchField form={form} name="video-stream.intra-refresh" />
        </Fields>
      </Section>
      <Section title="Rate control">
        <Fields columns={4}>
          <NumberField form={form} name="video-stream.bitrate" unit="kbit/s" />
          <NumberField form={form} name="video-stream.vbv-maxrate" unit="kbit/s" />
          <NumberField
            form={form}
            name="video-stream.vbv-bufsize"
            unit="kbit"
            hint={bufferHint(values)}
          />
          <NumberField
            form={form}
            name="video-stream.keyint"
            unit="frames"
            hint={keyintHint(values)}
          />
        </Fields>
      </Section>
      <Section title="Engine and stream">
        <Fields columns={3}>
          <NumberField form={form} name="video-stream.threads" hint={threadsHint(host)} />
          <NumberField form={form} name="video-stream.max-refs" />
          <NumberField
            form={form}
            name="video-stream.pid"
            hint={pidHint(form, 'video-stream.pid')}
          />
        </Fields>
      </Section>
    </>
  )
}

function pidHint(form: ConfigForm, name: FieldName): string {
  return form.faults[name] === undefined ? text.PID_FREE : ''
}

/** CFG-27; a width that is none of this format is shown, so that it can be seen and mended. */
function widths(present: string, offered: readonly number[]) {
  const choices = plainChoices(offered)
  if (choices.some(({ value }) => value === present)) return choices
  return [{ value: present, label: `${present} · not of this format`, isInert: true }, ...choices]
}

export function AudioTab({ form, host }: TabProps) {
  const isMp2 = form.state.values.fields['audio-stream.format'] === 'mp2'
  return (
    <>
      <Section title="Codec and language">
        <Fields columns={4}>
          <ChoiceField form={form} name="audio-stream.format" choices={AUDIO_FORMATS} />
          <NumberField form={form} name="audio-stream.bitrate" unit="kbit/s" />
          <TextField form={form} name="audio-stream.lang" hint="ISO 639-2, such as eng" />
          <NumberField
            form={form}
            name="audio-stream.pid"
            hint={pidHint(form, 'audio-stream.pid')}
          />
        </Fields>
      </Section>
      <Section title={isMp2 ? 'MP2' : 'AAC'}>
        <Fields columns={4}>
          {isMp2 ? (
            <>
              <ChoiceField
                form={form}
                name="audio-stream.mp2-mode"
                choices={plainChoices(MP2_MODES)}
              />
              <ChoiceField
                form={form}
                name="audio-stream.audio-type"
                choices={plainChoices(AUDIO_TYPES)}
              />
            </>
          ) : (
            <>
              <ChoiceField
                form={form}
                name="audio-stream.aac-profile"
                choices={aacProfileChoices(host)}
              />
              <ChoiceField
                form={form}
                name="audio-stream.aac-encap"
                choices={plainChoices(AAC_ENCAPS)}
              />
            </>
          )}
        </Fields>
      </Section>
    </>
  )
}

export function MuxTab({ form }: { form: ConfigForm }) {
  return (
    <>
      <Section title="Transport stream">
        <Fields columns={3}>
          <ChoiceField form={form} name="muxer.ts-type" choices={plainChoices(TS_TYPES)} />
          <NumberField form={form} name="muxer.ts-id" />
          <NumberField form={form} name="muxer.program-num" />
          <NumberField form={form} name="muxer.ts-muxrate" unit="bps" />
          <SwitchField form={form} name="muxer.cbr" />
        </Fields>
      </Section>
      <Section title="Tables and clock">
        <Fields columns={3}>
          <NumberField form={form} name="muxer.pmt-pid" hint={pidHint(form, 'muxer.pmt-pid')} />
          <NumberField form={form} name="muxer.pcr-pid" hint="sent on the video PID" />
          <NumberField form={form} name="muxer.pcr-period" unit="ms" />
          <Field
            label="PMT period"
            value="100"
            readOnly
            hint={text.PMT_PERIOD_HINT}
            right={
              <>
                <Unit>ms</Unit>
                <Icon name="lock" size={14} />
              </>
            }
          />
        </Fields>
      </Section>
    </>
  )
}
