/** A new name for an object whose row is not on the screen; in its row the name is changed in place. */
import { LinkCopy } from '@trunkline/contract/contributions/link.schema'
import type { ObjectKind } from '@trunkline/contract/fleet/fleet.schema'
import { useState } from 'react'
import { FormText } from '../../forms/DialogFields.tsx'
import { fieldFaults } from '../../forms/field-faults.rules.ts'
import { useForm } from '../../forms/form.hook.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { titleNow } from '../../contributions/contribution.actions.ts'
import { RENAME_FAILED } from '../../contributions/contribution.messages.ts'

interface RenameDialogProps {
  /** Names the object: what is typed is found again by it after the session has ended. */
  object: { kind: ObjectKind; id: string }
  /** As it is now. */
  title: string
  /** Says that it was done; rejects with an ApiError for the form to show, also when it is not `former` any more. */
  rename: (title: string, former: string) => Promise<unknown>
  onClose: () => void
}

const LABELS = { title: 'Title' } as const

export function RenameDialog({ object, title, rename, onClose }: RenameDialogProps) {
  const [seen, setSeen] = useState(title)
  const form = useForm<{ title: string }>({
    initial: { title },
    version: null,
    check: (values) => fieldFaults(LinkCopy, { title: values.title }, LABELS),
    save: async (values) => {
      const wanted = values.title.trim()
      try {
        if (wanted !== seen) await rename(wanted, seen)
      } catch (reason) {
        setSeen(titleNow(reason) ?? seen)
        throw reason
      }
    },
    onSaved: onClose,
    keptAs: ['rename', object.kind, object.id],
    labels: LABELS,
    fallback: RENAME_FAILED,
  })
  return (
    <FormDialog
      title="Rename"
      subtitle={title}
      width={440}
      form={form}
      saveLabel="Rename"
      onClose={onClose}
    >
      <FormText form={form} name="title" data-autofocus />
    </FormDialog>
  )
}
