/** What may be done to a template, for its row and for the command palette. */
import type {
  EncoderTemplate,
  TemplateSettings,
} from '@trunkline/contract/encoders/template.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { useRole } from '../../lib/session.ts'
import type { RowAction } from '../../ui/button/RowButton.tsx'
import { useManagedTemplates } from './template.actions.ts'
import { SETTINGS_FAULTY } from './template.messages.ts'
import { whyNotChange } from './template.rules.ts'

/** The form of an encoder's settings. */
export interface SettingsForm {
  /** What it shows; null while it holds a fault. */
  settings: TemplateSettings | null
}

/** `form`: null where none is open, so that there is nothing to replace the settings with. */
export function useTemplateMenu(
  template: EncoderTemplate,
  form: SettingsForm | null,
  onRename: () => void,
): readonly RowAction[] {
  const role = useRole()
  const { replace, remove, isPending } = useManagedTemplates()
  if (!mayDo(role, 'editTemplates')) return []
  const { title } = template
  const disabledReason = isPending ? '' : whyNotChange(role, template)
  const common = { tone: 'plain', disabledReason } as const
  const rename = { ...common, icon: 'pencil', label: `Rename ${title}`, does: onRename } as const
  const replaceSettings: RowAction = {
    ...common,
    icon: 'refresh',
    label: `Replace settings of ${title}`,
    disabledReason: disabledReason ?? (form?.settings === null ? SETTINGS_FAULTY : null),
    does: () => {
      if (form !== null && form.settings !== null) void replace(template, form.settings)
    },
  }
  return [
    rename,
    ...(form === null ? [] : [replaceSettings]),
    {
      icon: 'bin',
      label: `Delete ${title}`,
      tone: 'danger',
      disabledReason,
      does: () => void remove(template),
    },
  ]
}
