/** 'Save as template': keeps what the form shows, under a title. */
import { useQuery } from '@tanstack/react-query'
import type { TemplateSettings } from '@trunkline/contract/encoders/template.schema'
import { textProps, useForm } from '../../lib/form.hook.ts'
import { useRole, useSession } from '../../lib/session.ts'
import { FormDialog } from '../../shared/FormDialog.tsx'
import { groupsQuery } from '../../shared/group.queries.ts'
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
  const session = useSession()
  const { data } = useQuery(groupsQuery())
  const choices = groupChoices(role, data ?? session?.user.groups ?? [])
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
      {choices.length > 1 && (
        <SelectField
          label={TEMPLATE_LABELS.groupId}
          choices={choices}
          value={form.values.groupId}
          hint={text.GROUP_HINT}
          error={form.errorOf('groupId')}
          onChange={(groupId) => form.set({ groupId })}
          onBlur={() => form.leave('groupId')}
        />
      )}
    </FormDialog>
  )
}
