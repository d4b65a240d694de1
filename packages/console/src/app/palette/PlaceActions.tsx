/** What can be done with destinations, servers, templates, groups and users: by what their rows offer. */
import { useQuery } from '@tanstack/react-query'
import type { Destination } from '@trunkline/contract/contributions/destination.schema'
import type { EncoderTemplate } from '@trunkline/contract/encoders/template.schema'
import type { Group } from '@trunkline/contract/groups/group.schema'
import type { Server } from '@trunkline/contract/servers/server.schema'
import type { Acting } from '@trunkline/contract/users/user.rules'
import type { User } from '@trunkline/contract/users/user.schema'
import { useRename } from '../../contributions/contribution.actions.ts'
import { useDestinationMenu } from '../../contributions/destinations/destination-menu.hook.ts'
import { destinationQuery } from '../../contributions/destinations/destination.queries.ts'
import { CLONE_DESTINATION, DESTINATION_DIALOG } from '../../contributions/parts.loader.ts'
import { useTemplateMenu } from '../../encoders/templates/template-menu.hook.ts'
import { LINK_TEST_DIALOG } from '../../forms/link-test/link-test.loader.ts'
import { useGroupMenu } from '../../groups/group-menu.hook.ts'
import { useServerMenu } from '../../servers/server-menu.hook.ts'
import { ENROLMENT_DIALOG } from '../../shared/enrolment/enrolment.loader.ts'
import type { RowAction } from '../../ui/button/RowButton.tsx'
import { useActing } from '../../users/acting.hook.ts'
import { useUserMenu } from '../../users/list/user-menu.hook.ts'
import { userQuery } from '../../users/user.queries.ts'
import { AcknowledgeOption } from './AcknowledgeOption.tsx'
import type { ActionsProps } from './ActionOptions.tsx'
import {
  EDIT_USER,
  GROUP_DIALOG,
  RENAME_DIALOG,
  RENAME_TEMPLATE,
  SELECT_GROUP,
  SERVER_DIALOG,
  SERVER_TIMELINE,
} from './dialogs.loader.ts'
import { useShowOutputs } from './open-object.hook.tsx'
import { ActionList } from './Option.tsx'
import { groupQuery, serverQuery } from './palette.queries.ts'

/** The search answers no more of these than a title: nothing is listed until the record is read. */
export function DestinationActions(props: ActionsProps) {
  const { data } = useQuery(destinationQuery(props.object.id))
  return data ? <OfDestination {...props} destination={data} /> : null
}

function OfDestination({ destination, ...props }: ActionsProps & { destination: Destination }) {
  const { onDialog } = props
  const { id, title } = destination
  const rename = useRename({ kind: 'destination', id })
  const showOutputs = useShowOutputs()
  const { buttons, more } = useDestinationMenu(destination, {
    onEdit: () => onDialog(DESTINATION_DIALOG, { destination }),
    onRename: () => onDialog(RENAME_DIALOG, { object: { kind: 'destination', id }, title, rename }),
    onClone: () => onDialog(CLONE_DESTINATION, { destination }),
    onShowOutputs: () => showOutputs({ destination: id }),
  })
  return <ActionList {...props} actions={[...buttons, ...more]} />
}

export function ServerActions(props: ActionsProps) {
  const { data } = useQuery(serverQuery(props.object.id))
  return data ? <OfServer {...props} server={data} /> : null
}

function OfServer({ server, ...props }: ActionsProps & { server: Server }) {
  const { onDialog } = props
  const { id, title } = server
  const actions = useServerMenu(server, {
    onEdit: () => onDialog(SERVER_DIALOG, { server }),
    onTimeline: () => onDialog(SERVER_TIMELINE, { server }),
    onTest: () =>
      onDialog(LINK_TEST_DIALOG, { ends: { fromKind: 'server', fromId: id, toServerId: '' } }),
    onSecure: () => onDialog(ENROLMENT_DIALOG, { object: { kind: 'server', id, title } }),
  })
  return (
    <>
      <AcknowledgeOption {...props} kind="server" />
      <ActionList {...props} actions={actions} />
    </>
  )
}

export function TemplateActions(props: ActionsProps & { template: EncoderTemplate }) {
  const { template, ...rest } = props
  const actions = useTemplateMenu(template, null, () =>
    props.onDialog(RENAME_TEMPLATE, { template }),
  )
  return <ActionList {...rest} actions={actions} />
}

export function GroupActions(props: ActionsProps) {
  const { data } = useQuery(groupQuery(props.object.id))
  return data ? <OfGroup {...props} group={data} /> : null
}

function OfGroup({ group, ...props }: ActionsProps & { group: Group }) {
  const actions = useGroupMenu(group, () => props.onDialog(GROUP_DIALOG, { group }))
  return <ActionList {...props} actions={actions} />
}

export function UserActions(props: ActionsProps) {
  const { data } = useQuery(userQuery(props.object.id))
  const acting = useActing()
  return data && acting ? <OfUser {...props} user={data} acting={acting} /> : null
}

/** The own account is edited by 'My account', which is listed by itself. */
function OfUser({ user, acting, ...props }: ActionsProps & { user: User; acting: Acting }) {
  const { onDialog } = props
  const { edit, addToGroup, remove, leave } = useUserMenu(user, acting, {
    onEdit: () => onDialog(EDIT_USER, { acting, user }),
    onGroup: () => onDialog(SELECT_GROUP, { user }),
  })
  const shown = [user._id === acting.id ? null : edit, addToGroup, ...leave, remove]
  const actions = shown.filter((action): action is RowAction => action !== null)
  return <ActionList {...props} actions={actions} />
}
