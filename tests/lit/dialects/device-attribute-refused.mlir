// RUN: fuselage-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{'wheels' is no value of a device; there are 'name', 'kind', 'language', 'chip', 'subgroup_size'}}
module attributes {fuselage.device = #fuselage.device<wheels = 4>} {}

// -----

// expected-error @below {{'max_threads' is listed twice}}
module attributes {fuselage.device = #fuselage.device<max_threads = 64, max_threads = 64>} {}

// -----

// expected-error @below {{the value of 'kind' must be discrete, integrated or software}}
module attributes {fuselage.device = #fuselage.device<kind = fast>} {}

// -----

// expected-error @below {{the value of 'chip' must be a text of letters, digits, '_' and '-'}}
module attributes {fuselage.device = #fuselage.device<chip = "sm_90,O=0">} {}

// -----

// expected-error @below {{the value of 'workgroup_bytes' must be a whole number from 0 to 2^50}}
module attributes {fuselage.device = #fuselage.device<workgroup_bytes = -1>} {}

// -----

// expected-error @below {{the value of 'bandwidth_gb_s' must be a number from 0 to 10^12}}
module attributes {fuselage.device = #fuselage.device<bandwidth_gb_s = 2.0e12>} {}

// -----

// expected-error @below {{expected 'true' or 'false'}}
module attributes {fuselage.device = #fuselage.device<reads_through_texels = maybe>} {}

// -----

// expected-error @below {{the value of 'language' must be 'spirv', 'ptx' or 'host'}}
module attributes {fuselage.device = #fuselage.device<language = glsl>} {}

// -----

// expected-error @below {{a device whose language is ptx needs a 'chip' such as "sm_90"}}
module attributes {fuselage.device = #fuselage.device<language = ptx>} {}

// -----

// expected-error @below {{the value of 'subgroup_size' must be a power of two up to 128}}
module attributes {fuselage.device = #fuselage.device<subgroup_size = 48>} {}

// -----

// expected-error @below {{the value of 'max_threads' must be from one subgroup to 4096}}
module attributes {fuselage.device = #fuselage.device<max_threads = 16>} {}

// -----

// expected-error @below {{'fuselage.device' must be #fuselage.device<..>, as fuselage-set-device makes it}}
module attributes {fuselage.device = "h100"} {}
