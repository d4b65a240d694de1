/** 'Manage templates': rename one, give it the settings of the form, delete it. Who may only apply them sees the list. */
import { useQuery } from '@tanstack/react-query'
import type { EncoderTemplate } from '@trunkline/contract/encoders/template.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { useRole } from '../../lib/session.ts'
import { QueryContent } from '../../shared/page/QueryContent.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { RowButton } from '../../ui/button/RowButton.tsx'
import { Dialog, Lead } from '../../ui/dialog/Dialog.tsx'
import { type SettingsForm, useTemplateMenu } from './template-menu.hook.ts'
import * as text from './template.messages.ts'
import { templatesQuery } from './template.queries.ts'
import { groupOf } from './template.rules.ts'
import classes from './TemplateDialogs.module.css'

interface ManageTemplatesDialogProps {
  /** Null where no encoder is open. */
  form: SettingsForm | null
  /** Of the template whose actions have the focus first; '' for none. */
  focusedId: string
  onRename: (template: EncoderTemplate) => void
  onClose: () => void
}

export function ManageTemplatesDialog(props: ManageTemplatesDialogProps) {
  const answer = useQuery(templatesQuery())
  const hasTemplates = answer.data !== undefined && answer.data.length > 0
  const mayEdit = mayDo(useRole(), 'editTemplates')
  return (
    <Dialog
      title={mayEdit ? 'Manage templates' : text.MENU_LABEL}
      width={560}
      isOpen
      onClose={props.onClose}
      footer={
        <Button
          size={36}
          data-autofocus={props.focusedId === '' || undefined}
          onClick={props.onClose}
        >
          Done
        </Button>
      }
    >
      {props.form === null && hasTemplates && <Lead>{text.HOW_TO_APPLY}</Lead>}
      <QueryContent
        answer={answer}
        failedText={text.NOT_READ}
        waiting={<Lead>{text.READING}</Lead>}
      >
        {(templates) =>
          hasTemplates ? (
            <ul className={classes.list} aria-label="Templates">
              {templates.map((template) => (
                <TemplateRow
                  key={template.id}
                  template={template}
                  form={props.form}
                  isFocused={template.id === props.focusedId}
                  onRename={props.onRename}
                />
              ))}
            </ul>
          ) : (
            <Lead>{text.NONE}</Lead>
          )
        }
      </QueryContent>
    </Dialog>
  )
}

interface TemplateRowProps extends Pick<ManageTemplatesDialogProps, 'form' | 'onRename'> {
  template: EncoderTemplate
  isFocused: boolean
}

function TemplateRow({ template, form, isFocused, onRename }: TemplateRowProps) {
  const actions = useTemplateMenu(template, form, () => onRename(template))
  const { title } = template
  return (
    <li className={classes.row}>
      <span className={classes.title}>{title}</span>
      <span className={classes.group}>{groupOf(template)}</span>
      <span className={classes.buttons}>
        {actions.map((action, index) => (
          <RowButton
            key={action.icon}
            action={action}
            data-autofocus={(isFocused && index === 0) || undefined}
          />
        ))}
      </span>
    </li>
  )
}
