/** 'Add encoder' and 'Edit encoder': the record, not the configuration of what it encodes. */
import { useQuery } from '@tanstack/react-query'
import { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { isAdminLevel } from '@trunkline/contract/roles'
import { useState } from 'react'
import { FormArea, FormSecret, FormSelect, FormText } from '../../forms/DialogFields.tsx'
import { type Form, readCurrentBy, useForm } from '../../forms/form.hook.ts'
import { useIsShown } from '../../lib/answer/is-shown.hook.ts'
import { useHost } from '../../lib/live/live-hooks.ts'
import { useRole } from '../../lib/session.ts'
import { showToast } from '../../lib/toast.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useGroupChoices } from '../../shared/choices/group.queries.ts'
import { EnrolHosts } from '../../shared/enrolment/EnrolHosts.tsx'
import { EnrolmentLead } from '../../shared/enrolment/EnrolmentLead.tsx'
import { EnrolsTick } from '../../shared/enrolment/EnrolsTick.tsx'
import { keyHint } from '../../shared/enrolment/key-hint.rules.ts'
import { Field } from '../../ui/field/Field.tsx'
import { Icon } from '../../ui/symbol/Icon.tsx'
import {
  bodyOf,
  checkEncoder,
  ENCODER_LABELS,
  encoderValuesOf,
  hostOfValues,
  isAtHostOf,
  missingFields,
  neighbourOf,
  newEncoderValues,
  type EncoderValues,
} from './encoder-form.rules.ts'
import {
  enrolledEncoder,
  useAddEncoder,
  useIsNewHost,
  useUpdateEncoder,
} from './encoder-record.actions.ts'
import * as text from './encoder-record.messages.ts'
import { encodersAtQuery } from './encoder-record.queries.ts'
import classes from './EncoderDialog.module.css'
import fieldRow from '../../ui/field/FieldRow.module.css'

interface EncoderDialogProps {
  /** As it was when the dialog was opened; null for a new encoder. */
  encoder: Encoder | null
  onClose: () => void
}

/** A save that puts an encoder on a host of no other one goes on to enrol that host, as a new server does. */
export function EncoderDialog({ encoder, onClose }: EncoderDialogProps) {
  const [saved, setSaved] = useState<Encoder | null>(null)
  if (saved === null)
    return <EncoderForm encoder={encoder} onNewHost={setSaved} onClose={onClose} />
  return <EnrolHosts objects={[enrolledEncoder(saved)]} onClose={onClose} />
}

interface EncoderFormProps extends EncoderDialogProps {
  onNewHost: (saved: Encoder) => void
}

function EncoderForm({ encoder, onNewHost, onClose }: EncoderFormProps) {
  const role = useRole()
  const add = useAddEncoder()
  const update = useUpdateEncoder()
  const { startId, isChosen } = useStartGroup()
  const key = useSharedKey(encoder)
  const isNewHost = useIsNewHost()
  const isShown = useIsShown()
  const setsKey = mayDo(role, 'setEncoderKey')
  const needsKey = (values: EncoderValues) =>
    setsKey &&
    !values.enrols &&
    encoder?.apiKeySet !== true &&
    neighbourOf(values, key.encoders) === null
  const form = useForm<EncoderValues>({
    initial: encoder === null ? newEncoderValues(startId) : encoderValuesOf(encoder),
    version: encoder?.version ?? null,
    check: (values) => checkEncoder(values, needsKey(values)),
    save: async (values, version) => {
      // A manager moves it to a known host only.
      const mayBeNew = encoder === null || (setsKey && !isAtHostOf(encoder, values))
      const isNew = mayBeNew && (await isNewHost(values))
      const saved =
        encoder === null
          ? await add(bodyOf(values))
          : await update({
              _id: encoder._id,
              ...bodyOf(values),
              ...(version === null ? {} : { version }),
            })
      if (isNew) onNewHost(saved)
      else if (isShown.current) onClose()
    },
    keptAs: ['encoder', encoder?._id],
    labels: ENCODER_LABELS,
    asTyped: ['title', 'ip', 'port', 'email', 'location', 'description'],
    fallback: text.TRY_AGAIN,
    readCurrent: readCurrentBy(Encoder, encoderValuesOf),
  })
  const submit: typeof form.submit = (event) => {
    const isMissing = missingFields(form.values, needsKey(form.values)).length > 0
    if (isMissing) showToast('warning', text.CHECK_REQUIRED, '')
    form.submit(event)
  }
  const { enrols } = form.values
  const mayEnrol = setsKey && encoder === null
  const isKnownHost = neighbourOf(form.values, key.encoders) !== null
  return (
    <FormDialog
      title={encoder === null ? 'Add encoder' : 'Edit encoder'}
      subtitle={encoder?.title}
      width={560}
      form={{ ...form, submit }}
      saveLabel={encoder === null ? 'Add encoder' : 'Save'}
      onClose={onClose}
    >
      {setsKey && (encoder === null || !isAtHostOf(encoder, form.values)) && (
        <EnrolmentLead takesKey={!enrols} />
      )}
      {mayEnrol && (
        <EnrolsTick
          enrols={enrols}
          label={text.ENROLS}
          hint={isKnownHost ? text.ENROLS_NOT : text.ENROLS_MEANS}
          onChange={(next) => form.set({ enrols: next })}
        />
      )}
      {encoder !== null && (
        <Field
          label="Name"
          value={encoder.name}
          readOnly
          right={<Icon name="lock" size={14} />}
          hint="Set when it was added."
        />
      )}
      <FormText form={form} name="title" data-autofocus={mayEnrol ? undefined : true} />
      <div className={classes.address}>
        <FormText
          form={form}
          name="ip"
          spellCheck={false}
          placeholder="192.0.2.10"
          onBlur={() => {
            form.leave('ip')
            key.lookFor(hostOfValues(form.values))
          }}
        />
        <FormText form={form} name="port" inputMode="numeric" />
      </div>
      <div className={fieldRow.fit}>
        {setsKey && !enrols && <KeyField form={form} encoder={encoder} neighbours={key.encoders} />}
        {isChosen && <GroupField form={form} encoder={encoder} />}
      </div>
      <Contact form={form} />
    </FormDialog>
  )
}

/** ENC-26; write-only, so what is stored is never in it. */
function KeyField({
  form,
  encoder,
  neighbours,
}: {
  form: Form<EncoderValues>
  encoder: Encoder | null
  neighbours: readonly Encoder[]
}) {
  const others = neighbours.filter((neighbour) => neighbour._id !== encoder?._id)
  const isShared = neighbourOf(form.values, others) !== null
  const host = useHost('encoder', encoder?._id ?? '')
  const hint =
    encoder?.apiKeySet === true
      ? text.KEY_HINT[isShared ? 'shared' : 'kept']
      : text.KEY_HINT[isShared ? 'ofHost' : 'first']
  return <FormSecret form={form} name="apiKey" secret="API key" hint={keyHint(host, hint)} />
}

function GroupField({ form, encoder }: { form: Form<EncoderValues>; encoder: Encoder | null }) {
  const { rows: groups, more, onType } = useGroupChoices(form.values.groupId)
  const isListed = encoder === null || groups.some((group) => group._id === encoder.groupId)
  const choices = [
    ...(form.values.groupId === '' ? [{ value: '', label: 'Select group' }] : []),
    ...groups.map((group) => ({ value: group._id, label: group.title })),
    // While the list is read, its current group is shown.
    ...(isListed ? [] : [{ value: encoder.groupId, label: encoder.groupInfo.title }]),
  ]
  return <FormSelect form={form} name="groupId" choices={choices} more={more} onType={onType} />
}

/** Whom to call about it, and where it stands. */
function Contact({ form }: { form: Form<EncoderValues> }) {
  return (
    <>
      <div className={fieldRow.fit}>
        <FormText form={form} name="email" type="email" />
        <FormText form={form} name="contactNumber" type="tel" />
        <FormText form={form} name="location" />
        <FormText form={form} name="physicalAddress" />
      </div>
      <FormArea form={form} name="description" rows={2} />
    </>
  )
}

/** Q35: a manager of one group is asked nothing, of several may choose; the first is the start. */
function useStartGroup() {
  const role = useRole()
  const { rows, total } = useGroupChoices('')
  const isAdmin = isAdminLevel(role)
  return { startId: isAdmin ? '' : (rows[0]?._id ?? ''), isChosen: isAdmin || total > 1 }
}

/** The encoders of the host that was typed, once its field was left. */
function useSharedKey(encoder: Encoder | null) {
  const [host, setHost] = useState(encoder?.ip ?? '')
  const { data: encoders = [] } = useQuery(encodersAtQuery(host))
  return { encoders, lookFor: setHost }
}
