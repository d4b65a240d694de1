/** 'Manage group': makes a group, or changes one. */
import { Group } from '@trunkline/contract/groups/group.schema'
import { FormArea, FormText } from '../forms/DialogFields.tsx'
import { type Form, readCurrentBy, useForm } from '../forms/form.hook.ts'
import { useChoices } from '../shared/choices/choices.hook.ts'
import { FormDialog } from '../forms/FormDialog.tsx'
import { Leaving } from '../forms/leave/Leaving.tsx'
import { MANAGERS } from '../shared/choices/user.queries.ts'
import { ChoiceList } from '../ui/choice/ChoiceList.tsx'
import { useSaveGroup } from './group.actions.ts'
import * as text from './group.messages.ts'
import { checkGroup, emptyFields, GROUP_LABELS, valuesOf, type GroupValues } from './group.rules.ts'

interface GroupDialogProps {
  /** As it was when the dialog was opened; null for a new group. */
  group: Group | null
  onClose: () => void
}

export function GroupDialog({ group, onClose }: GroupDialogProps) {
  const save = useSaveGroup(group)
  const form = useForm<GroupValues>({
    initial: valuesOf(group),
    version: group?.version ?? null,
    check: checkGroup,
    save,
    onSaved: onClose,
    keptAs: ['group', group?._id],
    labels: GROUP_LABELS,
    asTyped: ['title', 'description'],
    fallback: group === null ? text.ADD_FAILED : text.UPDATE_FAILED,
    readCurrent: readCurrentBy(Group, valuesOf),
  })
  const missing = emptyFields(form.values).map((name) => GROUP_LABELS[name])
  return (
    <FormDialog
      title="Manage group"
      subtitle={group?.title}
      width={440}
      form={form}
      saveLabel={group === null ? 'Add group' : 'Save'}
      disabledReason={missing.length === 0 ? null : text.missingText(missing)}
      onClose={onClose}
    >
      <FormText form={form} name="title" data-autofocus />
      <FormArea form={form} name="description" rows={2} />
      <ManagerField form={form} group={group} />
    </FormDialog>
  )
}

function ManagerField({ form, group }: { form: Form<GroupValues>; group: Group | null }) {
  const { manager } = form.values
  const { rows, more, onType, isRead, isError } = useChoices(MANAGERS, manager)
  const choices = rows.map(({ _id, fullName, email }) => ({
    value: _id,
    label: fullName,
    detail: email,
  }))
  // Out of thousands only the first are drawn, and the one who leads the group is to be seen.
  const first = group?.manager?._id
  const sorted = choices.toSorted((a, b) => Number(b.value === first) - Number(a.value === first))
  return (
    <Leaving onLeave={() => form.leave('manager')}>
      <ChoiceList
        label={GROUP_LABELS.manager}
        kind="one"
        choices={sorted}
        more={more}
        onType={onType}
        chosen={manager === '' ? [] : [manager]}
        onChange={([id = '']) => form.set({ manager: id })}
        error={form.errorOf('manager')}
        emptyText={
          isError ? text.MANAGERS_FAILED : isRead ? text.MANAGERS_NONE : text.MANAGERS_READING
        }
      />
    </Leaving>
  )
}
