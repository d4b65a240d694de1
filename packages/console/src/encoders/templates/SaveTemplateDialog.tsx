/** 'Save as template': keeps what the form shows, under a title. */
import { isAdminLevel } from '@trunkline/contract/roles'
import type { TemplateSettings } from '@trunkline/contract/encoders/template.schema'
import { useState } from 'react'
import { textProps, useForm } from '../../forms/form.hook.ts'
import { useRole } from '../../lib/session.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useGroupChoices } from '../../shared/group.queries.ts'
import { Field } from '../../ui/Field.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { useAddTemplate } from './template.actions.ts'
import * as text from './template.messages.ts'
import {
  checkTemplate,
  groupChoices,
  TEMPLATE_LABELS,
  type TemplateValues,
} from './template.rules.ts'
import classes from './TemplateDialogs.module.css'

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
    save: async (values) => {
      await add(values)
      onClose()
    },
    fallback: text.TRY_AGAIN,
  })
  return (
    <FormDialog
      title="Save as template"
      width={440}
      form={form}
      labels={TEMPLATE_LABELS}
      saveLabel="Save template"
      onClose={onClose}
    >
      <p className={classes.lead}>{text.WHAT_IS_KEPT}</p>
      <Field
        label={TEMPLATE_LABELS.title}
        autoComplete="off"
        data-autofocus
        {...textProps(form, 'title')}
      />
      {(isAdminLevel(role) || total > 1) && (
        <SelectField
          label={TEMPLATE_LABELS.groupId}
          choices={choices}
          value={form.values.groupId}
          hint={text.GROUP_HINT}
          error={form.errorOf('groupId')}
          more={more}
          onType={onType}
          onChange={(groupId) => {
            setChosenId(groupId)
            form.set({ groupId })
          }}
          onBlur={() => form.leave('groupId')}
        />
      )}
    </FormDialog>
  )
}
