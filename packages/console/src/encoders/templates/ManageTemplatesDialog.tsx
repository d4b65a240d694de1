/** 'Manage templates': rename one, give it the settings of the form, delete it. */
import { useQuery } from '@tanstack/react-query'
import type {
  EncoderTemplate,
  TemplateSettings,
} from '@trunkline/contract/encoders/template.schema'
import { useRole } from '../../lib/session.ts'
import { Button, IconButton } from '../../ui/button/Button.tsx'
import { Dialog, Lead } from '../../ui/dialog/Dialog.tsx'
import { useManagedTemplates } from './template.actions.ts'
import * as text from './template.messages.ts'
import { templatesQuery } from './template.queries.ts'
import { groupOf, whyNotChange } from './template.rules.ts'
import classes from './TemplateDialogs.module.css'

interface ManageTemplatesDialogProps {
  /** Of the form; null while it holds a fault. */
  settings: TemplateSettings | null
  onRename: (template: EncoderTemplate) => void
  onClose: () => void
}

export function ManageTemplatesDialog(props: ManageTemplatesDialogProps) {
  const { data: templates = [], isPending, isError } = useQuery(templatesQuery())
  const emptyText = isPending ? text.READING : isError ? text.LIST_FAILED : text.NONE
  return (
    <Dialog
      title="Manage templates"
      width={560}
      isOpen
      onClose={props.onClose}
      footer={
        <Button size={36} onClick={props.onClose}>
          Done
        </Button>
      }
    >
      {templates.length === 0 ? (
        <Lead>{emptyText}</Lead>
      ) : (
        <ul className={classes.list} aria-label="Templates">
          {templates.map((template) => (
            <TemplateRow key={template.id} template={template} {...props} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function TemplateRow({
  template,
  settings,
  onRename,
}: ManageTemplatesDialogProps & { template: EncoderTemplate }) {
  const role = useRole()
  const { replace, remove, isPending } = useManagedTemplates()
  const { title } = template
  const disabledReason = isPending ? '' : whyNotChange(role, template)
  return (
    <li className={classes.row}>
      <span className={classes.title} title={title}>
        {title}
      </span>
      <span className={classes.group}>{groupOf(template)}</span>
      <span className={classes.buttons}>
        <IconButton
          icon="pencil"
          label={`Rename ${title}`}
          tone="quiet"
          size={28}
          disabledReason={disabledReason}
          onClick={() => onRename(template)}
        />
        <IconButton
          icon="refresh"
          label={`Replace settings of ${title}`}
          tone="quiet"
          size={28}
          disabledReason={disabledReason ?? (settings === null ? text.SETTINGS_FAULTY : null)}
          onClick={() => {
            if (settings !== null) void replace(template, settings)
          }}
        />
        <IconButton
          icon="bin"
          label={`Delete ${title}`}
          tone="quiet"
          size={28}
          disabledReason={disabledReason}
          onClick={() => void remove(template)}
        />
      </span>
    </li>
  )
}
