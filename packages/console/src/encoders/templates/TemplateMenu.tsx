/**
 * 'Templates': named settings to put into the form of an encoder's configuration. Applying one
 * changes the form alone; the encoder hears of it when the form is saved.
 */
import { useQuery } from '@tanstack/react-query'
import type {
  EncoderTemplate,
  TemplateSettings,
} from '@trunkline/contract/encoders/template.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { useState } from 'react'
import { useRole } from '../../lib/session.ts'
import { showToast } from '../../lib/toast.ts'
import { Menu, type MenuAction } from '../../ui/button/Menu.tsx'
import { ManageTemplatesDialog } from './ManageTemplatesDialog.tsx'
import { RenameTemplateDialog } from './RenameTemplateDialog.tsx'
import { SaveTemplateDialog } from './SaveTemplateDialog.tsx'
import * as text from './template.messages.ts'
import { templatesQuery } from './template.queries.ts'
import { groupOf } from './template.rules.ts'

interface TemplateMenuProps {
  /** What the form shows now; null while it holds a fault. */
  settings: TemplateSettings | null
  onApply: (settings: TemplateSettings, title: string) => void
}

type Opened =
  | { dialog: 'save'; settings: TemplateSettings }
  /** `renamed`: the id of the template whose name was changed just now, or ''. */
  | { dialog: 'manage'; renamed: string }
  | { dialog: 'rename'; template: EncoderTemplate }

export function TemplateMenu(props: TemplateMenuProps) {
  // Who may not apply one asks for none.
  return mayDo(useRole(), 'seeTemplates') ? <Templates {...props} /> : null
}

function Templates({ settings, onApply }: TemplateMenuProps) {
  const role = useRole()
  const { data: templates = [], isPending, isError, refetch } = useQuery(templatesQuery())
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const manage = (renamed: string) => setOpened({ dialog: 'manage', renamed })
  const list = templates.map((template): MenuAction => {
    return {
      label: template.title,
      detail: groupOf(template),
      icon: 'copy',
      tone: 'plain',
      does: () => {
        onApply(template.settings, template.title)
        showToast('success', text.APPLIED, text.appliedDetail(template.title))
      },
    }
  })
  const edits: readonly MenuAction[] = [
    {
      label: 'Save as template…',
      icon: 'plus',
      tone: 'plain',
      does: () => {
        if (settings !== null) setOpened({ dialog: 'save', settings })
        else showToast('warning', text.SETTINGS_FAULTY, text.SETTINGS_FAULTY_DETAIL)
      },
    },
    { label: 'Manage templates…', icon: 'pencil', tone: 'plain', does: () => manage('') },
  ]
  const again: MenuAction = {
    label: text.READ_AGAIN,
    icon: 'refresh',
    tone: 'plain',
    does: () => void refetch(),
  }
  const mayEdit = mayDo(role, 'editTemplates')
  const groups = [isError && mayEdit ? [again] : [], list, mayEdit ? edits : []]
  const isEmpty = groups.every((group) => group.length === 0)
  const why = isPending ? text.READING : isError ? text.LIST_FAILED : text.NONE
  return (
    <>
      <Menu
        label={text.MENU_LABEL}
        caption={text.MENU_LABEL}
        groups={groups}
        disabledReason={isEmpty ? why : null}
      />
      {opened?.dialog === 'save' && (
        <SaveTemplateDialog settings={opened.settings} onClose={close} />
      )}
      {opened?.dialog === 'manage' && (
        <ManageTemplatesDialog
          form={{ settings }}
          focusedId={opened.renamed}
          onRename={(template) => setOpened({ dialog: 'rename', template })}
          onClose={close}
        />
      )}
      {opened?.dialog === 'rename' && (
        <RenameTemplateDialog
          template={opened.template}
          onClose={() => manage(opened.template.id)}
        />
      )}
    </>
  )
}
