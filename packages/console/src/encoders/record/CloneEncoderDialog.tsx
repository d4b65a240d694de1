/** 'Clone encoder': a new encoder with the same settings, on another card. */
import { useQuery } from '@tanstack/react-query'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { useState } from 'react'
import { FormSelect, FormText } from '../../forms/DialogFields.tsx'
import { useForm } from '../../forms/form.hook.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useRole } from '../../lib/session.ts'
import { EnrolHosts } from '../../shared/enrolment/EnrolHosts.tsx'
import { ResultDialog } from '../../ui/dialog/ResultDialog.tsx'
import classes from './CloneEncoderDialog.module.css'
import { encoderHostQuery } from '../config/config.queries.ts'
import {
  checkClone,
  chosenCard,
  CLONE_LABELS,
  cloneBody,
  cloneValuesOf,
  freeCards,
  type CloneValues,
} from './encoder-clone.rules.ts'
import { enrolledEncoder, useCloneEncoder, useIsNewHost } from './encoder-record.actions.ts'
import * as text from './encoder-record.messages.ts'
import addressClasses from './EncoderDialog.module.css'
import { Lead } from '../../ui/dialog/Dialog.tsx'

interface CloneEncoderDialogProps {
  /** As it was when the dialog was opened. */
  encoder: Encoder
  onClose: () => void
}

interface Cloned {
  copy: Encoder
  warnings: readonly string[]
  /** No other encoder is on its host. */
  isNewHost: boolean
}

export function CloneEncoderDialog({ encoder, onClose }: CloneEncoderDialogProps) {
  const [cloned, setCloned] = useState<Cloned | null>(null)
  const [isRead, setRead] = useState(false)
  if (cloned === null) return <CloneForm encoder={encoder} onDone={setCloned} onClose={onClose} />
  const { copy, warnings, isNewHost } = cloned
  if (warnings.length > 0 && !isRead) {
    const onRead = () => (isNewHost ? setRead(true) : onClose())
    return <ClonedDialog title={copy.title} warnings={warnings} onClose={onRead} />
  }
  return <EnrolHosts objects={[enrolledEncoder(copy)]} onClose={onClose} />
}

interface CloneFormProps extends CloneEncoderDialogProps {
  onDone: (copy: Cloned) => void
}

function CloneForm({ encoder, onDone, onClose }: CloneFormProps) {
  const clone = useCloneEncoder(encoder)
  const isNewHost = useIsNewHost()
  // Others clone to a known host only.
  const mayNameHost = mayDo(useRole(), 'setEncoderKey')
  const { data: host } = useQuery(encoderHostQuery(encoder._id))
  const form = useForm<CloneValues>({
    initial: cloneValuesOf(encoder),
    version: null,
    check: checkClone,
    save: async (values) => {
      const card = chosenCard(values, freeCards(encoder, host, values))
      const isNew = mayNameHost && (await isNewHost(values))
      const { copy, warnings } = await clone(cloneBody(encoder, values, card))
      if (warnings.length === 0 && !isNew) onClose()
      else onDone({ copy, warnings, isNewHost: isNew })
    },
    keptAs: ['clone', encoder._id],
    labels: CLONE_LABELS,
    fallback: text.TRY_AGAIN,
  })
  const cards = freeCards(encoder, host, form.values)
  return (
    <FormDialog
      title="Clone encoder"
      subtitle={encoder.title}
      width={560}
      form={form}
      saveLabel="Clone encoder"
      onClose={onClose}
    >
      <Lead>{encoder.config === null ? text.CLONE_BARE : text.CLONE_LEAD}</Lead>
      <FormText form={form} name="title" data-autofocus />
      {encoder.config !== null && (
        <FormSelect
          form={form}
          name="card-idx"
          choices={cards}
          isListed
          value={chosenCard(form.values, cards)}
        />
      )}
      <div className={addressClasses.address}>
        <FormText form={form} name="ip" spellCheck={false} />
        <FormText form={form} name="port" inputMode="numeric" />
      </div>
    </FormDialog>
  )
}

interface ClonedDialogProps extends Pick<Cloned, 'warnings'> {
  title: string
  onClose: () => void
}

/** What is not as in the original stays readable until it was read. */
function ClonedDialog({ title, warnings, onClose }: ClonedDialogProps) {
  return (
    <ResultDialog title="Clone encoder" subtitle={title} onClose={onClose}>
      <Lead>{text.clonedLead(title)}</Lead>
      <ul className={classes.warnings}>
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </ResultDialog>
  )
}
