/** ROLE-11: which right every call needs, written down once more, for the role walk reads it from the call. */
import { expect, test } from 'vitest'
import { allCalls } from '../all-calls.ts'

/** A right of the role table, then the calls that need it. */
const CALLS_BY_RIGHT = `
  acknowledgeAlarm: alarms.acknowledge alarms.acknowledgeSeveral alarms.mute
    alarms.unacknowledge alarms.unmute
  addEncoder: encoders.add encoders.clone
  addToGroup: groups.addUser groups.moveUser
  addUser: users.add
  anyone: enrolment.enrol fleet.health session.beginOidc session.endOidc session.login
    session.passkeySetUpStep session.passkeyStep session.secondStep session.setUpStep
    session.ways
  arrangeLists: listViews.list listViews.save
  bulkContributions: inputs.match inputs.removeSeveral inputs.setStatus links.changeServer
    outputs.changeDestination outputs.match outputs.removeSeveral outputs.setStatus
  configureEncoder: encoders.askTaken encoders.update
  editDestinations: destinations.add destinations.clone destinations.list
    destinations.match destinations.remove destinations.removeSeveral destinations.update
  editFeeders: feeders.askNextPort feeders.nextPort feeders.remove feeders.save
  editGroups: groups.add groups.remove groups.update
  editInputs: encoders.carry inputs.add inputs.askNextMulticast inputs.clone
    inputs.nextMulticast inputs.remove inputs.update links.rename
  editNotifications: notificationRules.add notificationRules.deliveries
    notificationRules.list notificationRules.remove notificationRules.test
    notificationRules.update
  editOutputs: outputs.add outputs.clone outputs.list outputs.read outputs.remove
    outputs.status outputs.update
  editSchedules: schedules.add schedules.remove schedules.update
  editSelf: users.update
  editServers: servers.adapters servers.add servers.remove servers.update
  editTemplates: encoderTemplates.add encoderTemplates.remove encoderTemplates.update
  editUser: users.resetSecondFactor
  enableEncoder: encoders.enable
  endOwnSession: apiTokens.add apiTokens.own apiTokens.revoke users.addPasskey
    users.beginPasskey users.beginSecondFactor users.confirmSecondFactor users.endSession
    users.listSessions users.removePasskey users.renamePasskey users.secondFactor
    users.turnOffSecondFactor
  enrolHosts: enrolment.addCode enrolment.read enrolment.revoke
  listGroups: groups.list
  listServers: servers.find servers.list servers.status
  listUsers: users.find users.list users.roles
  makeBackups: backups.make backups.read
  manageApiTokens: apiTokens.addService apiTokens.list
  openAccess: openApi.read
  openWork: fleet.snapshot fleet.watch search.objects
  overrideAlarmRules: alarmOverrides.add alarmOverrides.remove alarmOverrides.update
  planMaintenance: maintenance.add maintenance.remove maintenance.update
  putOnAir: onAir.put onAir.takeOff
  readAudit: audit.list
  readEncoderLog: encoders.control
  readFeeder: contributions.action events.availability events.list feeders.status
    links.history links.transportHistory paths.latency paths.list paths.read
  removeChannel: channels.remove
  removeEncoder: encoders.remove encoders.removeConfig
  removeFromGroup: groups.removeUser
  removeUser: users.remove
  renameChannel: channels.rename
  requireSecondFactor: users.requireFactor users.requiredFactor
  restartChannel: channels.restart
  seeAlarms: alarmOverrides.combined alarmOverrides.list alarms.history alarms.list
    maintenance.list
  seeChannels: channels.list channels.playback channels.streams
  seeEncoders: encoders.all encoders.counts encoders.find encoders.host encoders.list
    encoders.status encoders.thumbnail feeders.countTo
  seeInputs: inputs.list inputs.read inputs.status
  seeOnAir: onAir.ask onAir.list
  seeSchedules: schedules.list schedules.marks schedules.runs
  seeTemplates: encoderTemplates.list
  selectInput: channels.selectInput
  signIn: session.check session.signOut session.signOutEverywhere users.me
  switchChannel: channels.changeStatus
  syncChannels: channels.save
  testLinks: linkTests.cancel linkTests.host linkTests.read linkTests.start
`

test('ROLE-11 SRV-19 GRP-13 every call needs the right of its row', async () => {
  let right = ''
  const written = new Map<string, string>()
  for (const word of CALLS_BY_RIGHT.trim().split(/\s+/)) {
    if (word.endsWith(':')) right = word.slice(0, -1)
    else written.set(word, right)
  }
  const calls = await allCalls()
  expect(Object.fromEntries(calls.map(({ name, action }) => [name, action]))).toEqual(
    Object.fromEntries(written),
  )
})
