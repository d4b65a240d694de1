/** 'Save as template': keeps what the form shows, under a title. */
import { isAdminLevel } from '@trunkline/contract/roles'
import type { TemplateSettings } from '@trunkline/contract/encoders/template.schema'
import { useState } from 'react'
import { FormSelect, FormText } from '../../forms/DialogFields.tsx'
import { useForm } from '../../forms/form.hook.ts'
import { useRole } from '../../lib/session.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useGroupChoices } from '../../shared/choices/group.queries.ts'
import { useAddTemplate } from './template.actions.ts'
import * as text from './template.messages.ts'
import {
  checkTemplate,
  groupChoices,
  TEMPLATE_LABELS,
  type TemplateValues,
} from './template.rules.ts'
import { Lead } from '../../ui/dialog/Dialog.tsx'

interface SaveTemplateDialogProps {
  settings: TemplateSettings
  onClose: () => void
}

export function SaveTemplateDialog({ settings, onClose }: SaveTemplateDialogProps) {
  const role = useRole()
  const [chosenId, setChosenId] = useState('')
  const { rows, total, more, onType } = useGroupChoices(chosenId)
  const choices = groupChoices(role, rows)
  const add = useAddTemplate(settings)
  const form = useForm<TemplateValues>({
    initial: { title: '', groupId: choices[0]?.value ?? '' },
    version: null,
    check: checkTemplate,
    save: add,
    onSaved: onClose,
    keptAs: ['template'],
    labels: TEMPLATE_LABELS,
    fallback: text.TRY_AGAIN,
  })
  return (
    <FormDialog
      title="Save as template"
      width={440}
      form={form}
      saveLabel="Save template"
      onClose={onClose}
    >
      <Lead>{text.WHAT_IS_KEPT}</Lead>
      <FormText form={form} name="title" data-autofocus />
      {(isAdminLevel(role) || total > 1) && (
        <FormSelect
          form={form}
          name="groupId"
          choices={choices}
          hint={form.values.groupId === '' ? text.ALL_GROUPS_HINT : text.GROUP_HINT}
          more={more}
          onType={onType}
          onChange={(groupId) => {
            setChosenId(groupId)
            form.set({ groupId })
          }}
        />
      )}
    </FormDialog>
  )
}
