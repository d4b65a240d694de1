/** 'Rename template'. */
import { EncoderTemplate } from '@trunkline/contract/encoders/template.schema'
import { FormText } from '../../forms/DialogFields.tsx'
import { readCurrentBy, useForm } from '../../forms/form.hook.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useRenameTemplate } from './template.actions.ts'
import { TRY_AGAIN } from './template.messages.ts'
import { checkTemplate, groupOf, TEMPLATE_LABELS, type TemplateValues } from './template.rules.ts'

interface RenameTemplateDialogProps {
  /** As it was when the dialog was opened. */
  template: EncoderTemplate
  onClose: () => void
}

export function RenameTemplateDialog({ template, onClose }: RenameTemplateDialogProps) {
  const rename = useRenameTemplate(template)
  const form = useForm<TemplateValues>({
    initial: { title: template.title, groupId: template.groupId },
    version: template.version,
    check: checkTemplate,
    save: async ({ title }, version) => rename(title, version),
    onSaved: onClose,
    keptAs: ['template', template.id],
    labels: TEMPLATE_LABELS,
    fallback: TRY_AGAIN,
    readCurrent: readCurrentBy(EncoderTemplate, ({ title, groupId }) => ({ title, groupId })),
  })
  return (
    <FormDialog
      title="Rename template"
      subtitle={groupOf(template)}
      width={440}
      form={form}
      saveLabel="Rename"
      onClose={onClose}
    >
      <FormText form={form} name="title" data-autofocus />
    </FormDialog>
  )
}
