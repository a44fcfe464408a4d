// Meshes of devices, as Qt values.
#pragma once
#include "core/protocol/Meshes.h"
#include "views/messages/QtTypes.h"

namespace fuselage::protocol {

using message::MeshPlace;
using FusionMove = message::FusionMove<QtTypes>;
using MeshCollective = message::MeshCollective<QtTypes>;
using MeshGrid = message::MeshGrid<QtTypes>;
using MeshLayout = message::MeshLayout<QtTypes>;
using MeshReport = message::MeshReport<QtTypes>;
using MeshValue = message::MeshValue<QtTypes>;

} // namespace fuselage::protocol
